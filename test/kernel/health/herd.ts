import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import type { FailureKind } from "../../../src/kernel/model/failure.ts";
import type { Policy } from "../../../src/kernel/model/policy.ts";
import { failureOf, target, under } from "./fixtures.ts";

/** How a provider treats a call that starts now: without a failure it is answered. */
export interface Treatment {
  readonly inMs: number;
  readonly failure?: FailureKind;
}

interface Caller {
  readonly provider: string;
  readonly sinceMs: number;
  tries: number;
}

/** Many callers that ask health before each call, as the engine does, and call again after a second when they fail. */
export class Herd {
  readonly health = new MemoryHealth();
  nowMs = 0;
  /** Calls that were let through, by second. */
  readonly calls: number[] = [];
  /** How long each caller that has its answer has waited for it. */
  readonly waitedMs: number[] = [];
  waiting = 0;
  private readonly queue: { readonly atMs: number; readonly run: () => void }[] = [];
  private readonly policy: Policy;
  private readonly treat: (nowMs: number, provider: string) => Treatment;

  constructor(policy: Policy, treat: (nowMs: number, provider: string) => Treatment) {
    this.policy = policy;
    this.treat = treat;
  }

  /** New callers at this rate. */
  arrive(perSecond: number, fromMs: number, toMs: number, provider = "a"): void {
    if (fromMs >= toMs) return;
    this.at(fromMs, () => {
      this.waiting++;
      this.ask({ provider, sinceMs: this.nowMs, tries: 0 });
      this.arrive(perSecond, fromMs + 1000 / perSecond, toMs, provider);
    });
  }

  runUntil(endMs: number): void {
    for (let next = this.queue[0]; next !== undefined && next.atMs <= endMs; next = this.queue[0]) {
      this.queue.shift();
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = endMs;
  }

  private ask(caller: Caller): void {
    const { health, nowMs } = this;
    const to = target(caller.provider);
    const isAsked = caller.tries > 0 || (!health.isQuiet && !health.isFree);
    const waitMs = isAsked ? health.admit(to, this.policy, nowMs, caller.tries > 0) : 0;
    if (waitMs > 0) return this.at(nowMs + waitMs, () => this.ask(caller));
    const attempt = under(this.policy, isAsked ? nowMs : -1, to);
    const { inMs, failure } = this.treat(nowMs, caller.provider);
    health.started(to);
    caller.tries++;
    count(this.calls, nowMs);
    this.at(nowMs + inMs, () => {
      if (failure !== undefined) {
        health.failed(attempt, failureOf(failure), this.nowMs);
        return this.at(this.nowMs + 1000, () => this.ask(caller));
      }
      health.succeeded(attempt, this.nowMs);
      this.waitedMs.push(this.nowMs - caller.sinceMs);
      this.waiting--;
    });
  }

  private at(atMs: number, run: () => void): void {
    const { queue } = this;
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((queue[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, { atMs, run });
  }
}

/** The most calls in a second, from one second to another. */
export function peak({ calls }: Herd, fromMs: number, toMs: number): number {
  return Math.max(...Array.from(calls.slice(fromMs / 1000, toMs / 1000), (n) => n ?? 0));
}

function count(bySecond: number[], nowMs: number): void {
  const second = Math.floor(nowMs / 1000);
  bySecond[second] = (bySecond[second] ?? 0) + 1;
}
