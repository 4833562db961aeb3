import { type Compilable, sql } from "kysely";
import type { ConfigTexts } from "../config/known-config.ts";
import type { CooldownStore, Experience, ExperienceKey, ExperienceStore, StoredCooldown } from "../store.ts";
import { addOutcome, NO_TALLY, type Outcome, type Tally } from "../tally.ts";
import { query } from "./query.ts";
import { SqlitePart } from "./sqlite-part.ts";

export class SqliteConfigTexts extends SqlitePart implements ConfigTexts {
  async read(key: string): Promise<string | undefined> {
    const [row] = await this.whenUnlocked(() =>
      this.rows(query.selectFrom("config").select("value").where("key", "=", key)),
    );
    return row?.value;
  }

  async write(texts: ReadonlyMap<string, string | undefined>): Promise<void> {
    await this.queue.write(() => {
      for (const [key, text] of texts) this.connection.run(text === undefined ? deletion(key) : upsert(key, text));
    });
  }

  async names(): Promise<readonly string[]> {
    const rows = await this.whenUnlocked(() => this.rows(query.selectFrom("config").select("key")));
    return rows.map(({ key }) => key);
  }
}

function upsert(key: string, value: string): Compilable {
  return query
    .insertInto("config")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }));
}

function deletion(key: string): Compilable {
  return query.deleteFrom("config").where("key", "=", key);
}

/** In the same table, but not a setting: it is neither listed nor changed with them. */
const SALT = "cooldowns.salt";

export class SqliteCooldowns extends SqlitePart implements CooldownStore {
  async set(key: string, until: number, since?: number): Promise<void> {
    const changes = { until, since: since ?? null };
    const upsert = query
      .insertInto("cooldowns")
      .values({ key, ...changes })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet(changes).where(sql<boolean>`excluded.until > cooldowns.until`),
      );
    await this.change(upsert);
  }

  async remove(key: string): Promise<void> {
    await this.change(query.deleteFrom("cooldowns").where("key", "=", key));
  }

  async list(now: number): Promise<readonly StoredCooldown[]> {
    const all = await this.whenUnlocked(() => this.rows(query.selectFrom("cooldowns").selectAll().orderBy("key")));
    const current = all.filter(({ until }) => until > now);
    if (current.length < all.length) await this.change(query.deleteFrom("cooldowns").where("until", "<=", now));
    return current.map(({ since, ...cooldown }) => ({ ...cooldown, ...(since !== null && { since }) }));
  }

  async salt(): Promise<string> {
    const stored = await this.whenUnlocked(() => this.#storedSalt());
    if (stored !== undefined) return stored;
    const value = sql<string>`json_quote(lower(hex(randomblob(16))))`;
    // Another process may have been faster: then its salt is used.
    await this.change(
      query
        .insertInto("config")
        .values({ key: SALT, value })
        .onConflict((conflict) => conflict.doNothing()),
    );
    return (await this.whenUnlocked(() => this.#storedSalt())) ?? "";
  }

  #storedSalt(): string | undefined {
    const [row] = this.rows(query.selectFrom("config").select("value").where("key", "=", SALT));
    return row?.value.replaceAll('"', "");
  }
}

export class SqliteExperience extends SqlitePart implements ExperienceStore {
  async add(outcome: Outcome): Promise<void> {
    const { provider, endpoint, status } = outcome;
    const key = { provider, endpoint, status };
    await this.queue.write(() => {
      const { waitedMs, ...counts } = addOutcome(this.#tallyOf(key), outcome);
      const tally = { ...counts, waited_ms: waitedMs };
      const upsert = query
        .insertInto("experience")
        .values({ ...key, ...tally })
        .onConflict((conflict) => conflict.columns(["provider", "endpoint", "status"]).doUpdateSet(tally));
      this.connection.run(upsert);
    });
  }

  async list(): Promise<readonly Experience[]> {
    const all = query.selectFrom("experience").selectAll().orderBy("provider").orderBy("endpoint").orderBy("status");
    const rows = await this.whenUnlocked(() => this.rows(all));
    return rows.map(({ waited_ms, ...counts }) => ({
      ...counts,
      meanWaitMs: counts.successes === 0 ? 0 : waited_ms / counts.successes,
    }));
  }

  #tallyOf({ provider, endpoint, status }: ExperienceKey): Tally {
    const wanted = query
      .selectFrom("experience")
      .select(["successes", "failures", "waited_ms as waitedMs"])
      .where("provider", "=", provider)
      .where("endpoint", "=", endpoint)
      .where("status", "=", status);
    return this.rows(wanted)[0] ?? NO_TALLY;
  }
}
