import { sql } from "kysely";
import { checkNumber } from "../../kernel/index.ts";
import { checkCooldown, checkOutcome, type Outcome } from "../check/check-facts.ts";
import type { ConfigTexts } from "../config/known-config.ts";
import type { CooldownStore, Experience, ExperienceKey, ExperienceStore, StoredCooldown } from "../store.ts";
import { addOutcome, NO_TALLY, type Tally } from "../tally.ts";
import { query } from "./query.ts";
import { SqlitePart } from "./sqlite-part.ts";

export class SqliteConfigTexts extends SqlitePart implements ConfigTexts {
  async read(key: string): Promise<string | undefined> {
    const [row] = this.rows(query.selectFrom("config").select("value").where("key", "=", key));
    return row?.value;
  }

  async write(key: string, text: string): Promise<void> {
    const upsert = query
      .insertInto("config")
      .values({ key, value: text })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: text }));
    await this.run(upsert);
  }

  async remove(key: string): Promise<void> {
    await this.run(query.deleteFrom("config").where("key", "=", key));
  }
}

/** Beside the settings, but none: whoever lists or changes those does not meet it. */
const SALT = "cooldowns.salt";

export class SqliteCooldowns extends SqlitePart implements CooldownStore {
  async set(key: string, until: number, since?: number): Promise<void> {
    const cooldown = checkCooldown(key, until, since);
    const changes = { until, since: cooldown.since ?? null };
    const upsert = query
      .insertInto("cooldowns")
      .values({ ...cooldown, ...changes })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet(changes).where(sql<boolean>`excluded.until > cooldowns.until`),
      );
    await this.run(upsert);
  }

  async remove(key: string): Promise<void> {
    await this.run(query.deleteFrom("cooldowns").where("key", "=", key));
  }

  async list(now: number): Promise<readonly StoredCooldown[]> {
    checkNumber("now", now, { min: 0 });
    const all = this.rows(query.selectFrom("cooldowns").selectAll().orderBy("key"));
    const current = all.filter(({ until }) => until > now);
    if (current.length < all.length) await this.#drop(now);
    return current.map(({ since, ...cooldown }) => ({ ...cooldown, ...(since !== null && { since }) }));
  }

  async salt(): Promise<string> {
    return this.#storedSalt() ?? this.#makeSalt();
  }

  async #makeSalt(): Promise<string> {
    const value = sql<string>`json_quote(lower(hex(randomblob(16))))`;
    // Another process may have been quicker: then its salt is everybody's.
    await this.run(
      query
        .insertInto("config")
        .values({ key: SALT, value })
        .onConflict((conflict) => conflict.doNothing()),
    );
    return this.#storedSalt() ?? "";
  }

  #storedSalt(): string | undefined {
    const [row] = this.rows(query.selectFrom("config").select("value").where("key", "=", SALT));
    return row?.value.replaceAll('"', "");
  }

  async #drop(now: number): Promise<void> {
    await this.run(query.deleteFrom("cooldowns").where("until", "<=", now));
  }
}

export class SqliteExperience extends SqlitePart implements ExperienceStore {
  async add(outcome: Outcome): Promise<void> {
    const { provider, endpoint, status, ...end } = checkOutcome(outcome);
    await this.change(() => {
      const { waitedMs, ...counts } = addOutcome(this.#tallyOf({ provider, endpoint, status }), end);
      const tally = { ...counts, waited_ms: waitedMs };
      return query
        .insertInto("experience")
        .values({ provider, endpoint, status, ...tally })
        .onConflict((conflict) => conflict.columns(["provider", "endpoint", "status"]).doUpdateSet(tally));
    });
  }

  async list(): Promise<readonly Experience[]> {
    const all = query.selectFrom("experience").selectAll().orderBy("provider").orderBy("endpoint").orderBy("status");
    return this.rows(all).map(({ waited_ms, ...counts }) => ({
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
