import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkArray, checkNumber, checkObject, checkString, InvalidInput } from "../kernel/index.ts";
import { checkPrivate, keyFilePath } from "./key-file.ts";
import { rewritePrivateFile } from "./private-file.ts";

/** A key that a client of the server has. The key itself is not stored: only what recognizes it. */
export interface AccessKey {
  /** Shown in activity and logs as the client. */
  readonly name: string;
  readonly salt: string;
  /** SHA-256 of salt and key, as hex. A slow hash is for passwords: 256 random bits can't be guessed. */
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

const NAME = /^[\w.-]{1,40}$/;

/** `access.json`, beside the providers' keys. */
export function accessFilePath(env: Parameters<typeof keyFilePath>[0]): string {
  return join(dirname(keyFilePath(env)), "access.json");
}

/** Empty if there is no file. Throws `InvalidInput` if it is damaged or others may read it. */
export function readAccessFile(path: string): readonly AccessKey[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw fault;
  }
  checkPrivate(path);
  return parse(path, text);
}

/** Returns the new key, which can't be shown again. */
export async function addAccessKey(path: string, name: string, now = Date.now): Promise<string> {
  checkName(name);
  const key = `sw-${randomBytes(32).toString("base64url")}`;
  const salt = randomBytes(16).toString("hex");
  await rewrite(path, (keys) => {
    if (keys.some((one) => one.name === name))
      throw new InvalidInput("name", name, `a new name; to replace this key: secondwind access remove ${name}`);
    return [...keys, { name, salt, hash: hashOf(salt, key).toString("hex"), createdAt: now() }];
  });
  return key;
}

export async function removeAccessKey(path: string, name: string): Promise<void> {
  checkName(name);
  await rewrite(path, (keys) => {
    const left = keys.filter((one) => one.name !== name);
    const known = keys.length === 0 ? "there is none" : `one of ${keys.map((one) => one.name).join(", ")}`;
    if (left.length === keys.length) throw new InvalidInput("name", name, `the name of an access key: ${known}`);
    return left;
  });
}

/** Whose key it is. Looks at every key, so that the time does not depend on which one it is. */
export function findAccessKey(keys: readonly AccessKey[], given: string): AccessKey | undefined {
  let found: AccessKey | undefined;
  for (const key of keys) if (timingSafeEqual(hashOf(key.salt, given), Buffer.from(key.hash, "hex"))) found = key;
  return found;
}

/** The same shape for a key that is not in the file. */
export function unstoredAccessKey(name: string, key: string): AccessKey {
  const salt = randomBytes(16).toString("hex");
  return { name, salt, hash: hashOf(salt, key).toString("hex"), createdAt: 0 };
}

function hashOf(salt: string, key: string): Buffer {
  return createHash("sha256").update(salt).update(key).digest();
}

function checkName(name: string): void {
  // The name may be a key that was typed in the wrong place.
  if (!NAME.test(name))
    throw new InvalidInput("name", `${name.length} characters`, "1 to 40 letters, digits, . - or _");
}

async function rewrite(path: string, change: (keys: readonly AccessKey[]) => readonly AccessKey[]): Promise<void> {
  await rewritePrivateFile(path, async () => {
    const keys = change(readAccessFile(path));
    return `${JSON.stringify({ version: 1, keys }, null, 2)}\n`;
  });
}

function parse(path: string, text: string): readonly AccessKey[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidInput(path, `${text.length} characters that are not JSON`, "a secondwind access file");
  }
  const file = checkObject(path, value, ["version", "keys"]);
  if (file.version !== 1) throw new InvalidInput(`${path}: version`, file.version, "1");
  return checkArray(`${path}: keys`, file.keys).map((key, place): AccessKey => {
    const at = `${path}: keys[${place}]`;
    const { name, salt, hash, createdAt } = checkObject(at, key);
    const checked = checkString(`${at}.hash`, hash);
    if (!/^[0-9a-f]{64}$/.test(checked))
      throw new InvalidInput(`${at}.hash`, `${checked.length} characters`, "64 hex digits");
    return {
      name: checkString(`${at}.name`, name),
      salt: checkString(`${at}.salt`, salt),
      hash: checked,
      createdAt: checkNumber(`${at}.createdAt`, createdAt, { min: 0, max: Number.MAX_SAFE_INTEGER }),
    };
  });
}
