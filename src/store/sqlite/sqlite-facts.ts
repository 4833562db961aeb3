import { sql } from "kysely";
import { checkNumber } from "../../kernel/index.ts";
import { type Cooldown, checkCooldown, checkOutcome, type Outcome } from "../check/check-facts.ts";
import type { ConfigTexts } from "../config/known-config.ts";
import type { CooldownStore, Experience, ExperienceStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import type { WriteQueue } from "./write-queue.ts";

export class SqliteConfigTexts implements ConfigTexts {
  readonly #connection: Connection;
  readonly #queue: WriteQueue;

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection;
    this.#queue = queue;
  }

  async read(key: string): Promise<string | undefined> {
    const [row] = this.#connection.rows(query.selectFrom("config").select("value").where("key", "=", key));
    return row?.value;
  }

  async write(key: string, text: string): Promise<void> {
    const upsert = query
      .insertInto("config")
      .values({ key, value: text })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: text }));
    await this.#queue.write(() => this.#connection.run(upsert));
  }

  async remove(key: string): Promise<void> {
    await this.#queue.write(() => this.#connection.run(query.deleteFrom("config").where("key", "=", key)));
  }
}

export class SqliteCooldowns implements CooldownStore {
  readonly #connection: Connection;
  readonly #queue: WriteQueue;

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection;
    this.#queue = queue;
  }

  async set(key: string, until: number): Promise<void> {
    const upsert = query
      .insertInto("cooldowns")
      .values(checkCooldown(key, until))
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet({ until: sql`max(cooldowns.until, excluded.until)` }),
      );
    await this.#queue.write(() => this.#connection.run(upsert));
  }

  async list(now: number): Promise<readonly Cooldown[]> {
    checkNumber("now", now, { min: 0 });
    const all = this.#connection.rows(query.selectFrom("cooldowns").selectAll().orderBy("key"));
    const current = all.filter(({ until }) => until > now);
    if (current.length < all.length) await this.#drop(now);
    return current;
  }

  async #drop(now: number): Promise<void> {
    await this.#queue.write(() => this.#connection.run(query.deleteFrom("cooldowns").where("until", "<=", now)));
  }
}

export class SqliteExperience implements ExperienceStore {
  readonly #connection: Connection;
  readonly #queue: WriteQueue;

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection;
    this.#queue = queue;
  }

  async add(outcome: Outcome): Promise<void> {
    const { provider, endpoint, status, ok, waitedMs } = checkOutcome(outcome);
    const counts = { successes: ok ? 1 : 0, failures: ok ? 0 : 1, waited_ms: ok ? waitedMs : 0 };
    const upsert = query
      .insertInto("experience")
      .values({ provider, endpoint, status, ...counts })
      .onConflict((conflict) =>
        conflict.columns(["provider", "endpoint", "status"]).doUpdateSet({
          successes: sql`experience.successes + excluded.successes`,
          failures: sql`experience.failures + excluded.failures`,
          waited_ms: sql`experience.waited_ms + excluded.waited_ms`,
        }),
      );
    await this.#queue.write(() => this.#connection.run(upsert));
  }

  async list(): Promise<readonly Experience[]> {
    const all = query.selectFrom("experience").selectAll().orderBy("provider").orderBy("endpoint").orderBy("status");
    return this.#connection.rows(all).map(({ waited_ms, ...counts }) => ({
      ...counts,
      meanWaitMs: counts.successes === 0 ? 0 : waited_ms / counts.successes,
    }));
  }
}
