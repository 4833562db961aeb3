import type { Vault } from "../credentials/index.ts";
import type { SimulatorOptions } from "../simulator/http/index.ts";
import { aiSdkProvider } from "./ai-sdk/ai-sdk-provider.ts";
import { type Endpoint, originOf } from "./endpoint.ts";
import { loadVault } from "./load-vault.ts";
import type { Provider } from "./provider.ts";
import { type Environment, readEndpoints } from "./read-endpoints.ts";
import { SIMULATED, SIMULATED_CREDENTIALS, simulatedProvider } from "./simulated-provider.ts";
import type { SimulatorHandle } from "./simulator-handle.ts";

export interface OpenOptions {
  readonly env: Environment;
  /** For the simulated provider: weather, seed, pace. */
  readonly simulator?: Omit<SimulatorOptions, "port">;
}

/** Everything that can be asked, and the secrets that it needs. */
export interface Providers {
  /** By name; the simulated one is always among them. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly endpoints: readonly Endpoint[];
  /** Ids of the credentials that a provider can be asked with, in order of preference: for a fallback chain. */
  credentialsOf(provider: string): readonly string[];
  /** `provider/model` to begin with: of the first provider that has a key, else a simulated one. */
  readonly defaultModel: string;
  readonly vault: Vault;
  /** The weather of the simulated provider. */
  readonly simulator: SimulatorHandle;
}

/** Opens every provider that the environment and the key file know of. Loads nothing and makes no call yet. */
export async function openProviders({ env, simulator }: OpenOptions): Promise<Providers> {
  const endpoints = [...readEndpoints(env), SIMULATED];
  const vault = loadVault(endpoints, env);
  const credentialsOf = (name: string): readonly string[] => {
    if (name === SIMULATED.name) return SIMULATED_CREDENTIALS;
    const endpoint = endpoints.find((one) => one.name === name);
    if (endpoint === undefined) return [];
    const fitting = vault.credentials(name).filter(({ origin }) => origin === originOf(endpoint));
    // The engine's word for "none is needed" is one without a name.
    return fitting.length === 0 && !endpoint.needsKey ? [""] : fitting.map(({ id }) => id);
  };
  const simulated = simulatedProvider(simulator);
  const providers = endpoints.map((endpoint) =>
    endpoint === SIMULATED ? simulated : aiSdkProvider({ endpoint, vault }),
  );
  const first = endpoints.find(({ name, models }) => models.length > 0 && credentialsOf(name).length > 0) ?? SIMULATED;
  return {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    endpoints,
    credentialsOf,
    defaultModel: `${first.name}/${first.models[0]}`,
    vault,
    simulator: simulated.simulator,
  };
}
