import type { Admission, Health, Policy, Target } from "../../../kernel/index.ts";
import { DENIED_MS } from "./denied.ts";

const WINDOW = 100;
const LEAST_CALLS = 100;
const FAILURE_RATE = 0.5;
const OPEN_MS = 60_000;
const HALF_OPEN_CALLS = 10;

type State =
  | { readonly phase: "closed"; readonly outcomes: Outcomes }
  | { readonly phase: "open"; readonly untilMs: number }
  | { readonly phase: "half-open"; readonly outcomes: Outcomes; permits: number };

/**
 * The circuit breaker of resilience4j with its defaults: opens when half of the last 100 calls failed, for a minute; then ten calls
 * decide. While it is open, generations end at once. One for each provider.
 */
export class RateBreaker implements Health {
  readonly isQuiet = false;
  readonly #states = new Map<string, State>();

  blockedForMs({ provider }: Target, _breaker: unknown, nowMs: number): number {
    const state = this.#stateOf(provider);
    return state.phase === "open" && nowMs < state.untilMs ? DENIED_MS : 0;
  }

  admit({ provider }: Target, _policy: Policy, nowMs: number): number {
    let state = this.#stateOf(provider);
    if (state.phase === "closed") return 0;
    if (state.phase === "open") {
      if (nowMs < state.untilMs) return DENIED_MS;
      state = { phase: "half-open", outcomes: new Outcomes(HALF_OPEN_CALLS), permits: HALF_OPEN_CALLS };
      this.#states.set(provider, state);
    }
    if (state.permits === 0) return DENIED_MS;
    state.permits--;
    return 0;
  }

  succeeded({ target }: Admission, nowMs: number): void {
    this.#note(target, false, nowMs);
  }

  failed({ target }: Admission, _failure: unknown, nowMs: number): void {
    this.#note(target, true, nowMs);
  }

  released({ target }: Admission): void {
    const state = this.#stateOf(target.provider);
    if (state.phase === "half-open") state.permits = Math.min(HALF_OPEN_CALLS, state.permits + 1);
  }

  coolDown(): void {
    // It remembers outcomes only.
  }

  phaseOf(provider: string): State["phase"] {
    return this.#stateOf(provider).phase;
  }

  #stateOf(provider: string): State {
    let state = this.#states.get(provider);
    if (state === undefined) {
      state = { phase: "closed", outcomes: new Outcomes(WINDOW) };
      this.#states.set(provider, state);
    }
    return state;
  }

  #note({ provider }: Target, isFailure: boolean, nowMs: number): void {
    const state = this.#stateOf(provider);
    // A call from before it opened changes nothing.
    if (state.phase === "open") return;
    state.outcomes.add(isFailure);
    const least = state.phase === "closed" ? LEAST_CALLS : HALF_OPEN_CALLS;
    if (state.outcomes.count < least) return;
    if (state.outcomes.failures >= FAILURE_RATE * state.outcomes.count) {
      this.#states.set(provider, { phase: "open", untilMs: nowMs + OPEN_MS });
    } else if (state.phase === "half-open") {
      this.#states.set(provider, { phase: "closed", outcomes: new Outcomes(WINDOW) });
    }
  }
}

/** The last calls, as a ring. */
class Outcomes {
  readonly #ring: boolean[] = [];
  readonly #size: number;
  #next = 0;
  #failures = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#ring.length;
  }

  get failures(): number {
    return this.#failures;
  }

  add(isFailure: boolean): void {
    if (this.#ring[this.#next] === true) this.#failures--;
    if (isFailure) this.#failures++;
    this.#ring[this.#next] = isFailure;
    this.#next = (this.#next + 1) % this.#size;
  }
}
