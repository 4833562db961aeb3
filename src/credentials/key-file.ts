import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { checkArray, checkNumber, checkObject, checkString, InvalidInput } from "../kernel/index.ts";
import { rewritePrivateFile } from "./private-file.ts";

export interface NewKey {
  readonly provider: string;
  readonly origin: string;
  readonly secret: string;
}

export interface StoredKey extends NewKey {
  readonly id: string;
}

export interface KeyFile {
  readonly path: string;
  readonly keys: readonly StoredKey[];
  /** The next number for each provider: a number that was removed never comes back, so that no log means another key. */
  readonly next: Readonly<Record<string, number>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `keys.json` in the user's own configuration folder. A relative `XDG_CONFIG_HOME` is to be ignored, says its standard; an empty or relative `HOME` would leave keys in any folder. */
export function keyFilePath(env: Environment): string {
  const { XDG_CONFIG_HOME: given = "", HOME: home = "" } = env;
  const own = isAbsolute(home) ? home : userInfo().homedir;
  return join(isAbsolute(given) ? given : join(own, ".config"), "secondwind", "keys.json");
}

/**
 * What is in the file; nothing if there is none. Throws `InvalidInput` for one that is damaged or open to others. Read at once: it
 * is small, and nothing can begin without it.
 */
export function readKeyFile(path: string): KeyFile {
  const text = readText(path);
  if (text === undefined) return { path, keys: [], next: {} };
  checkPrivate(path);
  return parseKeyFile(path, text);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fault;
  }
}

/** Answers the key as it was stored, with its id. */
export async function addKey(path: string, key: NewKey): Promise<StoredKey> {
  let stored: StoredKey | undefined;
  await rewriteKeys(path, ({ keys, next }) => {
    const { provider, origin, secret } = key;
    // A key goes to one origin only: who has a server of their own in between needs it for both.
    const isSame = (other: NewKey): boolean =>
      other.provider === provider && other.origin === origin && other.secret === secret;
    const twin = keys.find(isSame);
    if (twin !== undefined) throw new InvalidInput("key", `one that is stored as ${twin.id}`, "a new one");
    // A file that was written by hand may not say which number comes next.
    const taken = keys.flatMap(({ id }) =>
      id.startsWith(`${provider}#`) ? [Number(id.slice(provider.length + 1))] : [],
    );
    const told = Object.hasOwn(next, provider) ? next[provider] : undefined;
    const number = Math.max(told ?? 1, ...taken.filter(Number.isInteger).map((one) => one + 1));
    stored = { ...key, id: `${provider}#${number}` };
    return { keys: [...keys, stored], next: { ...next, [provider]: number + 1 } };
  });
  return stored as unknown as StoredKey;
}

export async function removeKey(path: string, id: string): Promise<void> {
  await rewriteKeys(path, ({ keys, next }) => {
    const kept = keys.filter((key) => key.id !== id);
    const known = keys.length === 0 ? "there is none" : `one of ${keys.map((key) => key.id).join(", ")}`;
    if (kept.length === keys.length) throw new InvalidInput("id", id, `the id of a stored key: ${known}`);
    return { keys: kept, next };
  });
}

type Content = Pick<KeyFile, "keys" | "next">;

async function rewriteKeys(path: string, change: (content: Content) => Content): Promise<void> {
  await rewritePrivateFile(path, async () => {
    const { keys, next } = change(readKeyFile(path));
    return `${JSON.stringify({ version: 1, keys, next }, null, 2)}\n`;
  });
}

function checkPrivate(path: string): void {
  const { mode } = statSync(path);
  const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
  if (isOpen)
    throw new InvalidInput(path, `mode ${(mode & 0o777).toString(8)}`, `readable by you alone: chmod 600 ${path}`);
}

function parseKeyFile(path: string, text: string): KeyFile {
  const file = checkObject(path, parseJson(path, text), ["version", "keys", "next"]);
  if (file.version !== 1) throw new InvalidInput(`${path}: version`, file.version, "1");
  const keys = checkArray(`${path}: keys`, file.keys).map((key, place): StoredKey => {
    const at = `${path}: keys[${place}]`;
    // A misspelt field would be answered with its value: it may be the key.
    const { id, provider, origin, secret } = checkObject(at, key);
    return {
      id: checkString(`${at}.id`, id),
      provider: checkString(`${at}.provider`, provider),
      origin: checkString(`${at}.origin`, origin),
      secret: checkString(`${at}.secret`, typeof secret === "string" ? secret : undefined),
    };
  });
  const numbers = Object.entries(checkObject(`${path}: next`, file.next ?? {}));
  const next = numbers.map(([name, n]) => [name, checkNumber(`${path}: next.${name}`, n, { min: 1, max: 2 ** 31 })]);
  return { path, keys, next: Object.fromEntries(next) };
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the file, and the file has keys in it.
    throw new InvalidInput(path, `${text.length} characters that are no JSON`, "a key file of secondwind");
  }
}
