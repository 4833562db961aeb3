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

/** `keys.json` in the user's configuration folder. The XDG rules ignore a relative `XDG_CONFIG_HOME`; a relative `HOME` could be any folder. */
export function keyFilePath(env: Environment): string {
  const { XDG_CONFIG_HOME: given = "", HOME: home = "" } = env;
  const own = isAbsolute(home) ? home : userInfo().homedir;
  return join(isAbsolute(given) ? given : join(own, ".config"), "secondwind", "keys.json");
}

/**
 * The content of the file; empty if there is none. Throws `InvalidInput` if it is damaged or readable by others. Synchronous: it
 * is small, and nothing starts without it.
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

/** Returns the stored key with its id. */
export async function addKey(path: string, key: NewKey): Promise<StoredKey> {
  let stored: StoredKey | undefined;
  await rewriteKeys(path, ({ keys, next }) => {
    const { provider, origin, secret } = key;
    // A key goes to one origin only: with a proxy in between it is stored for both.
    const isSame = (other: NewKey): boolean =>
      other.provider === provider && other.origin === origin && other.secret === secret;
    const twin = keys.find(isSame);
    if (twin !== undefined) throw new InvalidInput("key", `a key that is already stored as ${twin.id}`, "a new key");
    // A file written by hand may lack the next number.
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

/** Throws `InvalidInput` if others may read the file. */
export function checkPrivate(path: string): void {
  const { mode } = statSync(path);
  const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
  if (isOpen)
    throw new InvalidInput(path, `mode ${(mode & 0o777).toString(8)}`, `readable only by you: chmod 600 ${path}`);
}

function parseKeyFile(path: string, text: string): KeyFile {
  const file = checkObject(path, parseJson(path, text), ["version", "keys", "next"]);
  if (file.version !== 1) throw new InvalidInput(`${path}: version`, file.version, "1");
  const keys = checkArray(`${path}: keys`, file.keys).map((key, place): StoredKey => {
    const at = `${path}: keys[${place}]`;
    // The error for a misspelt field would quote its value, which may be the key.
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
    // The parser's own message would quote the file, which holds keys.
    throw new InvalidInput(path, `${text.length} characters that are not JSON`, "a secondwind key file");
  }
}
