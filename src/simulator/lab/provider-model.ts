import type { AttemptContext } from "../../kernel/index.ts";
import { drawExponential, type Random, type VirtualWorld } from "../world/index.ts";
import type { Conditions, HttpError, Quota } from "./conditions.ts";
import type { Tally } from "./tally.ts";

export interface ProviderSize {
  /** Calls worked on at the same time. */
  readonly slots: number;
  /** The part of the slots that is meant for these clients: loads, quotas and bursts are shares of it. Default: all. */
  readonly ownSlots?: number;
  /** Calls that may wait for a slot; the next one fails with 503. */
  readonly queueLimit: number;
  /** Mean of the exponentially distributed time that an answer takes. */
  readonly serviceMs: number;
}

export interface ProviderSetup {
  readonly world: VirtualWorld;
  readonly size: ProviderSize;
  readonly random: Random;
  readonly tally: Tally;
  /** The conditions at this provider now. */
  readonly conditions: () => Conditions;
}

/** An error takes a round trip. */
const ROUND_TRIP_MS = 10;
/** How often a slow model sends a token. */
const TOKEN_MS = 500;
const FULL: HttpError = { status: 503, message: "The queue is full" };
/** A broken connection as Node reports it. */
const HANG_UP = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
/** Keeps 0.05 × 60 from being less than 3. */
const ROUNDING = 1e-6;

/** One call that the provider has accepted. The provider notices neither that the caller gives up nor a broken connection. */
interface Work {
  readonly context: AttemptContext;
  readonly answer: () => void;
  readonly cutOff: () => void;
  isAbandoned: boolean;
  isCut: boolean;
}

/**
 * A provider with slots and a queue. Abandoned work keeps its place in the queue and then its slot until it is done: that is
 * how short time limits turn into overload.
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
    const { lost, rejected, errors, quota } = this.#setup.conditions();
    const startedMs = world.nowMs;
    return new Promise((resolve, reject) => {
      const { signal } = context;
      const work: Work = {
        context,
        isAbandoned: false,
        isCut: false,
        cutOff: () => {
          tally.count("cut");
          reject(HANG_UP);
        },
        answer: () => {
          tally.timeCall(startedMs);
          resolve("answer");
        },
      };
      signal.addEventListener("abort", () => {
        if (work.isCut) return;
        work.isAbandoned = true;
        tally.count("abandoned");
      });
      tally.count("calls");
      if (lost > 0 && random() < lost) return tally.count("lost");
      const fail = (httpError: HttpError): void => {
        world.after(ROUND_TRIP_MS, () => {
          if (work.isAbandoned) return;
          tally.count("rejected");
          reject(errorFor(httpError));
        });
      };
      tally.count("reached");
      if (rejected > 0 && random() < rejected) return fail(oneOf(errors, random));
      const overMs = this.#overQuotaMs(quota);
      if (overMs > 0) return fail({ status: 429, message: "Rate limit reached", retryAfterMs: overMs });
      if (this.#busy < this.#slots()) return this.#start(work);
      if (this.#queue.length >= this.#setup.size.queueLimit) return fail(FULL);
      this.#queue.push(work);
    });
  }

  #start(work: Work): void {
    const { world, random, size, tally } = this.#setup;
    this.#busy++;
    const { slowness, cut } = this.#setup.conditions();
    const serviceMs = drawExponential(random, size.serviceMs) * slowness;
    if (serviceMs > TOKEN_MS && slowness > 1) this.#sendTokens(work, world.nowMs + serviceMs);
    if (cut > 0 && random() < cut) this.#cutLater(work, random() * serviceMs);
    world.after(serviceMs, () => {
      this.#busy--;
      this.#startQueued();
      if (work.isCut) return;
      if (work.isAbandoned) return tally.count("wasted");
      work.answer();
    });
  }

  #slots(): number {
    const { size, conditions } = this.#setup;
    return slotsOf(size, conditions().capacity);
  }

  /** More than one call can start where slots have come back. */
  #startQueued(): void {
    const slots = this.#slots();
    while (this.#busy < slots) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  #cutLater(work: Work, afterMs: number): void {
    this.#setup.world.after(afterMs, () => {
      if (work.isAbandoned) return;
      work.isCut = true;
      work.cutOff();
    });
  }

  /** Tokens come slowly, but they come, so the engine's watchdog sees progress. */
  #sendTokens(work: Work, untilMs: number): void {
    const { world } = this.#setup;
    work.context.progress();
    const again = (): void => {
      if (work.isAbandoned || work.isCut) return;
      work.context.progress();
      if (world.nowMs + TOKEN_MS < untilMs) world.after(TOKEN_MS, again);
    };
    world.after(TOKEN_MS, again);
  }

  /** Milliseconds until the quota opens again; 0: the call is within it. */
  #overQuotaMs(quota: Quota | undefined): number {
    if (quota === undefined) return 0;
    const { world, size } = this.#setup;
    const { nowMs } = world;
    const { periodMs } = quota;
    const period = Math.floor(nowMs / periodMs);
    if (period !== this.#quotaPeriod) {
      this.#quotaPeriod = period;
      this.#quotaUsed = 0;
    }
    // A part of a call is carried over: at 2.5 per period, two and three take turns.
    const perPeriod = callsPerSecond(quota, size) * (periodMs / 1000);
    const accepted = Math.floor((period + 1) * perPeriod + ROUNDING) - Math.floor(period * perPeriod + ROUNDING);
    if (this.#quotaUsed++ < accepted) return 0;
    return Math.ceil((period + 1) * periodMs - nowMs);
  }
}

/** The slots that work. */
export function slotsOf({ slots }: ProviderSize, capacity: number): number {
  return Math.max(1, Math.round(slots * capacity));
}

/** What a quota lets through, on average. */
export function callsPerSecond({ share }: Quota, { slots, ownSlots = slots, serviceMs }: ProviderSize): number {
  return (share * ownSlots * 1000) / serviceMs;
}

/** Errors without a hint are made once: a stack trace for each would cost more than the rest of the call. */
const errors = new Map<HttpError, Error>();

/** The error as an SDK throws it. */
function errorFor(httpError: HttpError): Error {
  const { status, message, retryAfterMs } = httpError;
  if (retryAfterMs !== undefined) {
    return Object.assign(new Error(message), { status, headers: { "retry-after-ms": String(retryAfterMs) } });
  }
  const error = errors.get(httpError) ?? Object.assign(new Error(message), { status, headers: {} });
  errors.set(httpError, error);
  return error;
}

/** Draws only where there is a choice, so that other scenarios meet the same outage as before. */
function oneOf(errors: readonly HttpError[], random: Random): HttpError {
  const index = errors.length === 1 ? 0 : Math.floor(random() * errors.length);
  return errors[index] as HttpError;
}
