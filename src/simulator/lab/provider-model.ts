import type { AttemptContext } from "../../kernel/index.ts";
import { drawExponential, type Random, type VirtualWorld } from "../world/index.ts";
import { QUOTA_MS, type Refusal, type Sky } from "./sky.ts";
import type { Tally } from "./tally.ts";

export interface ProviderSize {
  /** Calls worked on at the same time. */
  readonly slots: number;
  /** Calls that may wait for a slot; one more is refused with 503. */
  readonly queueLimit: number;
  /** Mean of the exponentially distributed time that an answer takes. */
  readonly serviceMs: number;
}

export interface ProviderSetup {
  readonly world: VirtualWorld;
  readonly size: ProviderSize;
  readonly random: Random;
  readonly tally: Tally;
  /** The sky over this provider now. */
  readonly sky: () => Sky;
}

/** A refusal takes a round trip. */
const ROUND_TRIP_MS = 10;
/** How often a model that is at work shows life. */
const TOKEN_MS = 500;
const FULL: Refusal = { status: 503, message: "The queue is full" };

/** One call that the provider has accepted. It does not learn that its caller has gone. */
interface Work {
  readonly context: AttemptContext;
  readonly answer: () => void;
  isAbandoned: boolean;
}

/**
 * A provider with so many slots and a queue. Work that its caller has abandoned keeps its place in the queue and then its slot
 * until it is done: that is what turns impatience into overload.
 */
export class ProviderModel {
  readonly #setup: ProviderSetup;
  readonly #queue: Work[] = [];
  #busy = 0;
  #quotaPeriod = -1;
  #quotaUsed = 0;

  constructor(setup: ProviderSetup) {
    this.#setup = setup;
  }

  get busy(): number {
    return this.#busy;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** One call. Rejects as an SDK would; never settles if the call gets lost. */
  call(context: AttemptContext): Promise<string> {
    const { tally, world, random } = this.#setup;
    const sky = this.#setup.sky();
    const startedMs = world.nowMs;
    return new Promise((resolve, reject) => {
      const { signal } = context;
      const work: Work = {
        context,
        isAbandoned: false,
        answer: () => {
          tally.callAnswered(world.nowMs - startedMs);
          resolve("answer");
        },
      };
      signal.addEventListener("abort", () => {
        work.isAbandoned = true;
        tally.callAbandoned();
      });
      tally.callMade();
      if (sky.lost > 0 && random() < sky.lost) return tally.callLost();
      const refuse = (refusal: Refusal, retryAfterMs?: number): void => {
        world.after(ROUND_TRIP_MS, () => {
          if (work.isAbandoned) return;
          tally.callRefused();
          reject(httpError(refusal, retryAfterMs));
        });
      };
      tally.callReached();
      if (sky.refused > 0 && random() < sky.refused) return refuse(sky.refusal);
      const overMs = this.#overQuotaMs(sky.quota);
      if (overMs > 0) return refuse({ status: 429, message: "Rate limit reached" }, overMs);
      if (this.#busy < this.#setup.size.slots) return this.#start(work);
      if (this.#queue.length >= this.#setup.size.queueLimit) return refuse(FULL);
      this.#queue.push(work);
    });
  }

  #start(work: Work): void {
    const { world, random, size, tally } = this.#setup;
    this.#busy++;
    const serviceMs = drawExponential(random, size.serviceMs) * this.#setup.sky().slowness;
    if (serviceMs > TOKEN_MS && this.#setup.sky().slowness > 1) this.#showLife(work, world.nowMs + serviceMs);
    world.after(serviceMs, () => {
      this.#busy--;
      const next = this.#queue.shift();
      if (next !== undefined) this.#start(next);
      if (work.isAbandoned) return tally.answerWasted();
      work.answer();
    });
  }

  /** Tokens come slowly, but they come: the engine's watch sees a model that is alive. */
  #showLife(work: Work, untilMs: number): void {
    const { world } = this.#setup;
    work.context.progress();
    const again = (): void => {
      if (work.isAbandoned) return;
      work.context.progress();
      if (world.nowMs + TOKEN_MS < untilMs) world.after(TOKEN_MS, again);
    };
    world.after(TOKEN_MS, again);
  }

  /** Milliseconds until the quota opens again; 0: the call is within it. */
  #overQuotaMs(quota: number | undefined): number {
    if (quota === undefined) return 0;
    const { world, size } = this.#setup;
    const { nowMs } = world;
    const period = Math.floor(nowMs / QUOTA_MS);
    if (period !== this.#quotaPeriod) {
      this.#quotaPeriod = period;
      this.#quotaUsed = 0;
    }
    if (this.#quotaUsed++ < quota * size.slots * (QUOTA_MS / size.serviceMs)) return 0;
    return Math.ceil((period + 1) * QUOTA_MS - nowMs);
  }
}

/** One error serves for all refusals of a kind: a stack trace for each would cost more than the rest of the call. */
const errors = new Map<Refusal, Error>();

/** The error as an SDK throws it. */
function httpError(refusal: Refusal, retryAfterMs: number | undefined): Error {
  const { status, message } = refusal;
  if (retryAfterMs !== undefined) {
    return Object.assign(new Error(message), { status, headers: { "retry-after-ms": String(retryAfterMs) } });
  }
  const error = errors.get(refusal) ?? Object.assign(new Error(message), { status, headers: {} });
  errors.set(refusal, error);
  return error;
}
