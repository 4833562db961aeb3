import { keyFilePath, readKeyFile, splitKeys, Vault } from "../credentials/index.ts";
import { type Endpoint, originOf } from "./endpoint.ts";
import type { Environment } from "./read-endpoints.ts";

/**
 * All keys there are: those of the environment first, since a variable set for one command is meant, then those of the
 * key file. A key of the environment belongs to the base URL that is set beside it, one of the file to the origin it was added for.
 */
export function loadVault(endpoints: readonly Endpoint[], env: Environment): Vault {
  const vault = new Vault();
  for (const endpoint of endpoints) addFromEnvironment(vault, endpoint, env);
  const { path, keys } = readKeyFile(keyFilePath(env));
  for (const key of keys) vault.add({ ...key, from: path });
  return vault;
}

function addFromEnvironment(vault: Vault, endpoint: Endpoint, env: Environment): void {
  const variable = endpoint.keyVariables.find((name) => splitKeys(env[name]).length > 0);
  if (variable === undefined) return;
  const { name: provider } = endpoint;
  for (const [place, secret] of splitKeys(env[variable]).entries()) {
    vault.add({ id: `${provider}#env${place + 1}`, provider, origin: originOf(endpoint), from: variable, secret });
  }
}
