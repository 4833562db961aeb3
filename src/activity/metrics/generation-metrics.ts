import type { GenerationEvent } from "../../kernel/index.ts";
import type { ActivityRecord, HealthView } from "../../wire/http/activity.ts";
import { outcomeOf } from "../list-records.ts";
import { BoundedLabel, Counter, Histogram, metricText, SecondLabel } from "./metric.ts";

/** In seconds. */
const WAIT_LIMITS = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 1800];
const CONTENT_LIMITS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/**
 * Figures about generations for Prometheus. Labels are doors, providers, kinds and outcomes: few values each. Models and clients are
 * no labels, because callers choose their names.
 */
export class GenerationMetrics {
  readonly #doors = new BoundedLabel("door");
  readonly #providers = new BoundedLabel("provider");
  readonly #kinds = new SecondLabel("kind");
  readonly #outcomes = new SecondLabel("outcome");
  readonly #generations = new Counter();
  readonly #stops = new Counter();
  readonly #attempts = new Counter();
  readonly #waits = new Histogram(WAIT_LIMITS);
  readonly #contents = new Histogram(CONTENT_LIMITS);

  hear(door: string, event: GenerationEvent): void {
    switch (event.type) {
      case "attempt-end": {
        const provider = this.#providers.of(event.target.provider);
        this.#attempts.add(this.#kinds.of(provider, event.failure?.kind ?? "none"));
        return;
      }
      case "wait-end":
        this.#waits.observe(this.#doors.of(door), event.waitedMs / 1000);
        return;
      case "generation-end": {
        const label = this.#doors.of(door);
        const { outcome, attempts: attemptCount, complete } = event.receipt;
        const ended = outcome === "running" ? { attemptCount } : { outcome, attemptCount };
        this.#generations.add(this.#outcomes.of(label, outcomeOf(ended)));
        if (!complete) this.#stops.add(`${label},reason="${outcome}"`);
      }
    }
  }

  content(door: string, afterMs: number): void {
    this.#contents.observe(this.#doors.of(door), Math.max(0, afterMs) / 1000);
  }

  text(running: readonly ActivityRecord[], health: HealthView): string {
    const inFlight = new Counter();
    const waiting = new Counter();
    for (const record of running) {
      inFlight.add(this.#door(record));
      waiting.add(this.#door(record), record.state === "waiting" ? 1 : 0);
    }
    return [
      metricText(
        "secondwind_generations_total",
        "counter",
        "Generations that have ended. first: answered at the first attempt, retried: after a retry.",
        this.#generations.lines("secondwind_generations_total"),
      ),
      metricText(
        "secondwind_generation_stops_total",
        "counter",
        "Generations that ended without a whole answer, by the reason of the engine.",
        this.#stops.lines("secondwind_generation_stops_total"),
      ),
      metricText(
        "secondwind_attempts_total",
        "counter",
        "Attempts that have ended, by the kind of their failure. none: it was answered.",
        this.#attempts.lines("secondwind_attempts_total"),
      ),
      metricText(
        "secondwind_wait_seconds",
        "histogram",
        "Waits between two attempts, as they really were.",
        this.#waits.lines("secondwind_wait_seconds"),
      ),
      metricText(
        "secondwind_time_to_first_content_seconds",
        "histogram",
        "Time from the start of a generation to the first content for its consumer, retries and waits included.",
        this.#contents.lines("secondwind_time_to_first_content_seconds"),
      ),
      metricText(
        "secondwind_generations_in_flight",
        "gauge",
        "Generations under way, waiting ones included.",
        inFlight.lines("secondwind_generations_in_flight"),
      ),
      metricText(
        "secondwind_generations_waiting",
        "gauge",
        "Generations that wait for their next attempt.",
        waiting.lines("secondwind_generations_waiting"),
      ),
      this.#healthText(health),
    ].join("");
  }

  #healthText({ items, fine, budgets }: HealthView): string {
    const named = fine.map((provider) => this.#providers.of(provider));
    const breakers = new Map<string, number>(named.map((provider) => [provider, 0]));
    const cooldowns = new Map<string, number>(named.map((provider) => [provider, 0]));
    for (const { provider: name, type } of items) {
      const provider = this.#providers.of(name);
      breakers.set(provider, Math.max(breakers.get(provider) ?? 0, type === "breaker" ? 1 : 0));
      cooldowns.set(provider, (cooldowns.get(provider) ?? 0) + (type === "cooldown" ? 1 : 0));
    }
    const lines = (name: string, values: Iterable<readonly [string, number]>): readonly string[] =>
      Array.from(values, ([provider, value]) => `${name}{${provider}} ${value}`);
    const tokens = budgets.map(({ provider, tokens: left }) => [this.#providers.of(provider), left] as const);
    const capacities = budgets.map(({ provider, capacity }) => [this.#providers.of(provider), capacity] as const);
    const gauge = (name: string, help: string, values: Iterable<readonly [string, number]>): string =>
      metricText(name, "gauge", help, lines(name, values));
    return [
      gauge("secondwind_breaker_open", "1: the breaker of the provider is open or probing.", breakers),
      gauge("secondwind_cooldowns", "Keys and models of the provider that cool down.", cooldowns),
      gauge("secondwind_retry_budget_tokens", "Retries that the budget has room for now.", tokens),
      gauge("secondwind_retry_budget_capacity", "Retries that the full budget has room for.", capacities),
    ].join("");
  }

  #door({ door }: ActivityRecord): string {
    return this.#doors.of(door);
  }
}
