import type { Colours } from "../../terminal/index.ts";
import type { ListedProvider } from "./list-providers.ts";

/** For people: providers that are ready first, then those without a key. */
export function renderProviders(
  providers: readonly ListedProvider[],
  defaultModel: string,
  colours: Colours,
): readonly string[] {
  const ready = providers.filter((one) => one.ready);
  const lacking = providers.filter((one) => !one.ready);
  return [
    `Default model: ${colours.bold(defaultModel)}`,
    ...ready.flatMap((one) => ["", ...readyLines(one, colours)]),
    ...(lacking.length === 0 ? [] : ["", "Without a key:"]),
    ...lacking.map(({ title, provider, missing }) => `  ${title}: set ${missing}, or secondwind keys add ${provider}`),
  ];
}

function readyLines({ title, baseUrl, credentials, models, embeddings, provider }: ListedProvider, colours: Colours) {
  const keys = credentials.length === 0 ? "no key" : credentials.join(", ");
  const known = [...models, ...embeddings.map((model) => `${model} (embeddings)`)];
  return [
    `${colours.bold(title)}  ${baseUrl}  ${colours.dim(keys)}`,
    ...(known.length === 0 ? [`  ${provider}/<model>: any of its models`] : known.map((model) => `  ${model}`)),
  ];
}
