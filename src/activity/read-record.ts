import { FAILURE_KINDS } from "../kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../wire/http/activity.ts";

const STATES: ReadonlySet<unknown> = new Set(["attempting", "answering", "waiting", "ended"]);
const KINDS: ReadonlySet<unknown> = new Set(FAILURE_KINDS);

/**
 * A record of an earlier process, as the store has it. Undefined for what is none: another version may have written it. One that had
 * not ended was interrupted.
 */
export function readRecord(stored: unknown): ActivityRecord | undefined {
  if (!isRecord(stored)) return undefined;
  if (stored.state === "ended") return stored;
  const { wait: _over, ...rest } = stored;
  return { ...rest, state: "ended", interrupted: true };
}

function isRecord(value: unknown): value is ActivityRecord {
  if (!isObject(value)) return false;
  const { id, door, policy, asked, startedAt, state, attempts, attemptCount, waitedMs } = value;
  const isNamed = [id, door, policy, asked].every((name) => typeof name === "string");
  const isCounted = [startedAt, attemptCount, waitedMs].every((figure) => Number.isFinite(figure));
  return isNamed && isCounted && STATES.has(state) && Array.isArray(attempts) && attempts.every(isAttempt);
}

function isAttempt(value: unknown): value is ActivityAttempt {
  if (!isObject(value) || !isObject(value.target)) return false;
  const { attempt, startedAt, kind } = value;
  const { provider, model, credential } = value.target;
  const isNamed = [provider, model, credential].every((name) => typeof name === "string");
  return isNamed && Number.isFinite(attempt) && Number.isFinite(startedAt) && (kind === undefined || KINDS.has(kind));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
