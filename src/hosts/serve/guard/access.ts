import { createHash, randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { type AccessKey, findAccessKey, readAccessFile } from "../../../credentials/index.ts";
import type { Caller } from "./caller.ts";
import type { Doorkeeper } from "./judge-request.ts";

export interface AccessOptions {
  /** The file of `secondwind access`. */
  readonly path: string;
  /** A key from the command line or the environment. */
  readonly own?: AccessKey;
  readonly maxSessions: number;
  /** A file that has become unusable: the keys that were read last still apply. */
  readonly reportFault: (fault: unknown, where: string) => void;
}

/** The file is looked at again after this time, so that a removed key ends within it. */
const REREAD_MS = 1000;

/** Who may use a server that has access keys. */
export class Access implements Doorkeeper {
  readonly #options: AccessOptions;
  #keys: readonly AccessKey[];
  #version: string;
  #lookedAt = Date.now();
  /** Keys were there at the start: without them the server would be open to all. */
  readonly #hadKeys: boolean;
  /** Hash of the session's id → its key, oldest first. */
  readonly #sessions = new Map<string, AccessKey>();
  /** Cookies are shared by all ports of a host. */
  cookieName = "secondwind";

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#version = versionOf(options.path);
    this.#keys = this.#read();
    this.#hadKeys = this.#keys.length > 0;
  }

  get needsKey(): boolean {
    return this.#hadKeys || this.#current().length > 0;
  }

  byKey(given: string): Caller | undefined {
    const key = findAccessKey(this.#current(), given);
    return key && { client: key.name };
  }

  bySession(cookies: string): Caller | undefined {
    const id = this.#idIn(cookies);
    const key = id === undefined ? undefined : this.#sessions.get(hashed(id));
    // By its hash: another key may have taken the name.
    if (key === undefined || !this.#current().some(({ hash }) => hash === key.hash)) return undefined;
    return { client: key.name };
  }

  /** The id of a new session, for the cookie. Undefined: a wrong key. */
  logIn(given: string): string | undefined {
    const key = findAccessKey(this.#current(), given);
    if (key === undefined) return undefined;
    const id = randomBytes(32).toString("base64url");
    this.#sessions.set(hashed(id), key);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > this.#options.maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return id;
  }

  logOut(cookies: string): void {
    const id = this.#idIn(cookies);
    if (id !== undefined) this.#sessions.delete(hashed(id));
  }

  #idIn(cookies: string): string | undefined {
    const start = `${this.cookieName}=`;
    const pair = cookies.split(";").find((one) => one.trim().startsWith(start));
    return pair?.trim().slice(start.length);
  }

  #current(): readonly AccessKey[] {
    const now = Date.now();
    if (Math.abs(now - this.#lookedAt) < REREAD_MS) return this.#keys;
    this.#lookedAt = now;
    try {
      const version = versionOf(this.#options.path);
      if (version === this.#version) return this.#keys;
      this.#version = version;
      this.#keys = this.#read();
    } catch (fault) {
      this.#options.reportFault(fault, "access keys");
    }
    return this.#keys;
  }

  #read(): readonly AccessKey[] {
    const { path, own } = this.#options;
    const stored = readAccessFile(path);
    return own === undefined ? stored : [own, ...stored];
  }
}

function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeMs} ${found.size}`;
}

function hashed(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
