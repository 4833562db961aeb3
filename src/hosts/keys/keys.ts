import { addKey, type Credential, keyFilePath, maskSecret, removeKey } from "../../credentials/index.ts";
import { InvalidInput } from "../../kernel/index.ts";
import { type Endpoint, loadVault, originOf, parseBaseUrl, readEndpoints } from "../../providers/configuration.ts";
import { openTerminal, shownWord } from "../../terminal/index.ts";
import { checkKey } from "./check-key.ts";
import { CANCELLED, readKey } from "./read-key.ts";

/** `secondwind keys add`. Returns the exit code. */
export async function addCommand(name: string, { baseUrl }: { readonly baseUrl?: string }): Promise<number> {
  const endpoint = findEndpoint(name);
  const origin = new URL(baseUrl === undefined ? endpoint.baseUrl : parseBaseUrl("--base-url", baseUrl)).origin;
  const given = await readKey(process.stdin, process.stderr, `Key for ${endpoint.title} (${origin}), not shown: `);
  if (given === CANCELLED) return 130;
  const secret = checkKey(given);
  const { id } = await addKey(keyFilePath(process.env), { provider: name, origin, secret });
  process.stdout.write(`Stored as ${id} (${maskSecret(secret)}) for ${origin}\n`);
  return 0;
}

/** `secondwind keys list` */
export async function listCommand({ json }: { readonly json?: boolean }): Promise<number> {
  const endpoints = readEndpoints(process.env);
  const credentials = loadVault(endpoints, process.env).credentials();
  if (json === true) {
    process.stdout.write(`${JSON.stringify(credentials)}\n`);
    return 0;
  }
  const { write, colours } = openTerminal(process.stdout, process.env);
  if (credentials.length === 0)
    write("No keys yet. Add one with: secondwind keys add anthropic. The model sim/sonnet needs none.\n");
  for (const line of keyLines(credentials, endpoints)) write(`${line.isUsed ? line.text : colours.dim(line.text)}\n`);
  return 0;
}

/** `secondwind keys remove` */
export async function removeCommand(id: string): Promise<number> {
  if (/#env\d+$/.test(id))
    throw new InvalidInput("id", id, "the id of a stored key; this one comes from the environment: unset its variable");
  // A key in the place of its id must not be shown.
  if (!/^[\w.-]{1,60}#\w{1,9}$/.test(id))
    throw new InvalidInput("id", shownWord(id), "as shown by secondwind keys list, such as openai#1");
  await removeKey(keyFilePath(process.env), id);
  process.stdout.write(`Removed ${id}\n`);
  return 0;
}

function findEndpoint(name: string): Endpoint {
  const endpoints = readEndpoints(process.env);
  const found = endpoints.find((endpoint) => endpoint.name === name);
  if (found !== undefined) return found;
  throw new InvalidInput(
    "provider",
    shownWord(name),
    `one of ${endpoints.map((endpoint) => endpoint.name).join(", ")}`,
  );
}

/** A key is not used if its provider is configured with another origin: it is not sent there. */
function keyLines(credentials: readonly Credential[], endpoints: readonly Endpoint[]) {
  const idWidth = Math.max(...credentials.map(({ id }) => id.length));
  return credentials.map(({ id, provider, origin, from, masked }) => {
    const endpoint = endpoints.find(({ name }) => name === provider);
    const isUsed = endpoint !== undefined && originOf(endpoint) === origin;
    const note = isUsed
      ? ""
      : `  not used: ${provider} is ${endpoint === undefined ? "not configured" : originOf(endpoint)}`;
    return { text: `${id.padEnd(idWidth)}  ${masked.padEnd(8)}  ${origin}  from ${from}${note}`, isUsed };
  });
}
