import { checkBoolean, checkNumber, checkObject } from "../../kernel/index.ts";
import type { ExperienceKey, JournalRecord, StoredCooldown } from "../store.ts";
import { checkName, checkOptionalName, checkText } from "./check-text.ts";

const RECORD_FIELDS = [
  "at",
  "generationId",
  "conversationId",
  "attempt",
  "provider",
  "model",
  "credential",
  "ok",
  "kind",
  "status",
  "message",
  "durationMs",
  "waitedMs",
] as const satisfies readonly (keyof JournalRecord)[];

/** A clean copy: exactly the known fields, those that are undefined left out. */
export function checkRecord(record: JournalRecord): JournalRecord {
  const given = checkObject("record", record, RECORD_FIELDS);
  const { conversationId, kind, status, message } = given;
  return {
    at: checkNumber("record.at", given.at, { min: 0 }),
    generationId: checkName("record.generationId", given.generationId),
    ...(conversationId !== undefined && { conversationId: checkName("record.conversationId", conversationId) }),
    attempt: checkNumber("record.attempt", given.attempt, { min: 1, integer: true }),
    provider: checkOptionalName("record.provider", given.provider),
    model: checkOptionalName("record.model", given.model),
    credential: checkOptionalName("record.credential", given.credential),
    ok: checkBoolean("record.ok", given.ok),
    ...(kind !== undefined && { kind: checkName("record.kind", kind) }),
    ...(status !== undefined && { status: checkNumber("record.status", status, { min: 0, integer: true }) }),
    ...(message !== undefined && { message: checkText("record.message", message) }),
    durationMs: checkNumber("record.durationMs", given.durationMs, { min: 0 }),
    waitedMs: checkNumber("record.waitedMs", given.waitedMs, { min: 0 }),
  };
}

export type Outcome = ExperienceKey & { readonly ok: boolean; readonly waitedMs: number };

export function checkOutcome(outcome: Outcome): Outcome {
  const fields = ["provider", "endpoint", "status", "ok", "waitedMs"];
  const { provider, endpoint, status, ok, waitedMs } = checkObject("outcome", outcome, fields);
  return {
    provider: checkOptionalName("outcome.provider", provider),
    endpoint: checkName("outcome.endpoint", endpoint),
    status: checkName("outcome.status", status),
    ok: checkBoolean("outcome.ok", ok),
    waitedMs: checkNumber("outcome.waitedMs", waitedMs, { min: 0 }),
  };
}

export function checkCooldown(key: string, until: number, since: number | undefined): StoredCooldown {
  return {
    key: checkName("cooldown.key", key),
    until: checkNumber("cooldown.until", until, { min: 0 }),
    ...(since !== undefined && { since: checkNumber("cooldown.since", since, { min: 0 }) }),
  };
}

/** How many records of attempts are kept: some megabytes, and weeks of a busy chat. */
export const JOURNAL_LIMIT = 10_000;

export function checkJournalLimit(limit: number | undefined): number {
  return checkNumber("journalLimit", limit ?? JOURNAL_LIMIT, { min: 1, max: 1_000_000, integer: true });
}
