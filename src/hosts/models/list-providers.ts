import { originOf, type Providers } from "../../providers/index.ts";

/** One provider as it is shown. */
export interface ListedProvider {
  readonly provider: string;
  readonly title: string;
  readonly baseUrl: string;
  /** It can be used now. */
  readonly ready: boolean;
  /** Ids of the credentials that it can be used with. */
  readonly credentials: readonly string[];
  /** The variables to set; null: none. */
  readonly missing: string | null;
  readonly models: readonly string[];
  readonly embeddings: readonly string[];
}

export function listProviders({ endpoints, credentialsOf, vault }: Providers): readonly ListedProvider[] {
  return endpoints.map((endpoint) => {
    const { name, title, baseUrl, keyVariables, models, embeddings } = endpoint;
    const usable = credentialsOf(name);
    const elsewhere = vault.credentials(name).find(({ origin }) => origin !== originOf(endpoint));
    const hint = elsewhere === undefined ? "" : ` (${elsewhere.id} belongs to ${elsewhere.origin})`;
    const ready = usable.length > 0;
    return {
      provider: name,
      title,
      baseUrl,
      ready,
      credentials: usable.filter((id) => id !== ""),
      missing: ready ? null : `${keyVariables.join(" or ")}${hint}`,
      models: models.map((model) => `${name}/${model}`),
      embeddings: embeddings.map((model) => `${name}/${model}`),
    };
  });
}
