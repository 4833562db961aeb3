import { engineFailure } from "../classify/engine-failure.ts";
import { BASE_POLICY } from "../decide/base-policy.ts";
import { breakerAfterDenial, breakerAfterForeignAdmission } from "../health/breaker.ts";
import type { Admission } from "../health/health.ts";
import type { HealthParts, MemoryHealth } from "../health/memory-health.ts";
import { spendRetry } from "../health/provider-health.ts";
import type { FailureKind } from "../model/failure.ts";
import type { Policy } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import { type CallEvent, type Counts, countOf, MOST_REPLAYED } from "./counts.ts";
import type { Specs } from "./message.ts";

export interface Replay {
  readonly target: Target;
  readonly news: Counts;
  readonly specs: Specs;
  readonly nowMs: number;
  /** Whether it happened under the state of the breaker that is known here; else it shows only that calls began and ended. */
  readonly isCurrent: boolean;
}

/** Which failure stands for which event. */
const KINDS: Readonly<Partial<Record<CallEvent, FailureKind>>> = {
  sick: "server",
  timedOut: "timeout",
  limited: "rate_limit",
  refused: "bad_request",
};
const OUTCOMES: readonly CallEvent[] = ["answered", "sick", "timedOut", "limited", "refused", "released"];
const STRAGGLER = -1;

/** The calls of another process, as if they had been made here: so one process's rules hold for all of them together. */
export function replay(health: MemoryHealth, parts: HealthParts, heard: Replay): void {
  const { target, specs, nowMs, isCurrent } = heard;
  const news = heard.news.map((count) => Math.min(count, MOST_REPLAYED));
  const policy = policyOf(specs);
  const attempt: Admission = { target, policy, admittedAtMs: isCurrent ? nowMs : STRAGGLER };
  const late: Admission = { target, policy, admittedAtMs: STRAGGLER };
  repeat(countOf(news, "started"), () => health.started(target));
  if (isCurrent) {
    repeat(countOf(news, "admitted"), () => admitted(parts, heard, false));
    repeat(countOf(news, "admittedRetry"), () => admitted(parts, heard, true));
  }
  if (countOf(news, "denied") > 0) denied(parts, heard);
  parts.flowOf(target.provider).notice(nowMs);
  for (const event of interleaved(news)) {
    const kind = KINDS[event];
    if (kind !== undefined) health.failed(attempt, engineFailure(kind, "", "shared", target), nowMs);
    else if (event === "released") health.released(attempt, nowMs);
    else if (health.isQuiet) health.countAnswer(target, { roughNow: () => nowMs });
    else health.succeeded(attempt, nowMs);
  }
  repeat(countOf(news, "answeredLate"), () => health.succeeded(late, nowMs));
  // Without a breaker the end of a call is only counted.
  repeat(countOf(news, "ended"), () => health.released({ ...late, policy: BASE_POLICY }, nowMs));
  parts.changed();
}

/** The policies of messages that several read: in the lab, one message for a hundred processes. */
const policies = new WeakMap<Specs, Policy>();

function policyOf(specs: Specs): Policy {
  const known = policies.get(specs);
  if (known !== undefined) return known;
  const policy = { ...BASE_POLICY, ...specs };
  policies.set(specs, policy);
  return policy;
}

/** Another process has let a call through. A probe changes the breaker, and is told by that. */
function admitted({ providers, cooldowns, flowOf }: HealthParts, heard: Replay, isRetry: boolean): void {
  const { target, specs, nowMs } = heard;
  const { usual } = flowOf(target.provider);
  if (specs.breaker !== null) cooldowns.noteForeignAdmission(target, specs.breaker, usual, nowMs);
  const breaker = providers.breakerOf(target.provider);
  if (breaker.phase === "recovering") {
    providers.turn(providers.getOrAdd(target.provider), breakerAfterForeignAdmission(breaker, nowMs));
  } else if (isRetry && specs.budget !== null && breaker.phase === "closed") {
    spendRetry(providers.getOrAdd(target.provider), specs.budget, usual.perSecond, nowMs);
  }
}

/** Another process holds calls back: the way back is not over. */
function denied({ providers, cooldowns }: HealthParts, { target, specs, nowMs }: Replay): void {
  if (specs.breaker !== null) cooldowns.noteForeignDenial(target, specs.breaker, nowMs);
  const provider = providers.get(target.provider);
  if (provider !== undefined) provider.breaker = breakerAfterDenial(provider.breaker, nowMs);
}

/** In which order they happened is not known: evenly mixed, so that neither failures nor answers come in a row that never was. */
export function* interleaved(news: Counts): Generator<CallEvent> {
  const kinds = OUTCOMES.map((event) => ({ event, count: countOf(news, event), due: 0 })).filter(
    ({ count }) => count > 0,
  );
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  for (let n = 0; n < total; n++) {
    for (const kind of kinds) kind.due += kind.count;
    const next = kinds.reduce((most, kind) => (kind.due > most.due ? kind : most));
    next.due -= total;
    yield next.event;
  }
}

function repeat(times: number, what: () => void): void {
  for (let n = 0; n < times; n++) what();
}
