import type { Redis as RedisClient, RedisOptions } from "ioredis";
import { type Announcement, type Fact, LEASE_MS, type ProbeClaim, readFact, sentFact } from "../kernel/index.ts";
import type { RedisPlace } from "./redis-url.ts";
import { CLAIM, READ, TELL } from "./scripts.ts";

/** A Redis that does not answer within this time is as good as away. Requests never wait for it. */
export const OPENING_MS = 750;
export const ANSWER_MS = 500;

interface Scripts {
  swTell(facts: string, ...values: readonly (string | number)[]): Promise<unknown>;
  swRead(facts: string): Promise<unknown>;
  swClaim(lease: string, ...values: readonly (string | number)[]): Promise<unknown>;
}

export interface ConnectionOptions {
  readonly place: RedisPlace;
  readonly prefix: string;
  readonly id: string;
  readonly onMessage: (text: string) => void;
  /** Once. */
  readonly onLost: (reason: unknown) => void;
}

/** What Redis knows, and its time when it said so. */
export interface Opened {
  readonly sharedMs: number;
  readonly facts: readonly Fact[];
}

/** Two sockets to one Redis, one for commands and one that listens. It ends with the first fault: the link opens a new one. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #commands: RedisClient & Scripts;
  readonly #listener: RedisClient;
  #isOver = false;
  /** The first one: what follows says only that the connection is closed. */
  #fault: unknown = undefined;

  private constructor(options: ConnectionOptions, Redis: new (options: RedisOptions) => RedisClient) {
    this.#options = options;
    const { host, port, db, username, password, isTls } = options.place;
    const settings: RedisOptions = {
      ...{ host, port, db, lazyConnect: true, connectTimeout: OPENING_MS, maxRetriesPerRequest: 0 },
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(isTls && { tls: { servername: host } }),
      // RESP 2: every Redis since version 5 speaks it, and so do most of its relatives.
      ...{ protocol: 2, disableClientInfo: true, enableReadyCheck: false, autoResubscribe: false },
      // One fault ends it. How to come back is decided in one place, for both sockets.
      ...{ retryStrategy: () => null, connectionName: `secondwind-${options.id}` },
    };
    const client = new Redis(settings);
    client.defineCommand("swTell", { numberOfKeys: 1, lua: TELL });
    client.defineCommand("swRead", { numberOfKeys: 1, lua: READ });
    client.defineCommand("swClaim", { numberOfKeys: 1, lua: CLAIM });
    this.#commands = client as RedisClient & Scripts;
    this.#listener = new Redis(settings);
    for (const each of [this.#commands, this.#listener]) {
      each.on("error", (fault) => {
        this.#fault ??= fault;
        this.#lose(fault);
      });
      each.on("close", () => this.#lose(new Error("the connection was closed")));
    }
    this.#listener.on("message", (_channel, text) => {
      if (!this.#isOver) options.onMessage(text);
    });
  }

  /** Rejects if Redis can't be used; nothing is left open then. */
  static async open(options: ConnectionOptions, now: () => number): Promise<[Connection, Opened & { sentMs: number }]> {
    // Only here: a process without REDIS_URL never loads it.
    const { Redis } = await import("ioredis");
    const connection = new Connection(options, Redis);
    try {
      return [connection, await within(OPENING_MS, connection.#open(now))];
    } catch (fault) {
      connection.close();
      throw connection.#fault ?? fault;
    }
  }

  /** Returns the shared time. */
  async tell({ text, facts }: Announcement): Promise<number> {
    const flat = facts.flatMap((fact) => [fact.key, fact.epoch, fact.rank, JSON.stringify(sentFact(fact))]);
    const reply = await within(ANSWER_MS, this.#commands.swTell(this.#key("facts"), this.#key("news"), text, ...flat));
    return checkTime(reply);
  }

  async claim({ provider, stamp }: ProbeClaim): Promise<boolean> {
    const lease = this.#key(`probe:${provider}`);
    const reply = await within(ANSWER_MS, this.#commands.swClaim(lease, stamp, this.#options.id, LEASE_MS));
    return reply === 1;
  }

  close(): void {
    this.#isOver = true;
    this.#commands.disconnect();
    this.#listener.disconnect();
  }

  async #open(now: () => number): Promise<Opened & { sentMs: number }> {
    await Promise.all([this.#commands.connect(), this.#listener.connect()]);
    // First listen, then read: what is published in between is heard.
    await this.#listener.subscribe(this.#key("news"));
    const sentMs = now();
    const reply = await this.#commands.swRead(this.#key("facts"));
    if (!Array.isArray(reply)) throw new Error("Redis returned something that is not a list");
    const sharedMs = checkTime(reply[0]);
    const facts = reply.slice(1).flatMap((text) => readStored(text, sharedMs) ?? []);
    return { sharedMs, facts, sentMs };
  }

  #key(name: string): string {
    return `${this.#options.prefix}:health:${name}`;
  }

  #lose(reason: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onLost(reason);
  }
}

function readStored(text: unknown, sharedMs: number): Fact | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return readFact(JSON.parse(text), sharedMs);
  } catch {
    return undefined;
  }
}

function checkTime(reply: unknown): number {
  if (typeof reply === "number" && reply > 0) return reply;
  throw new Error("Redis returned something that is not a time");
}

/** Rejects if it takes longer. */
function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    timer.unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
