import type { Provider } from "../../src/providers/provider.ts";
import { VirtualWorld } from "../../src/simulator/world/index.ts";
import { type RetryStrategy, type RunTurnInput, runTurn, type TurnResult } from "../../src/turn/index.ts";
import type { AgentEvent } from "../../src/wire/index.ts";
import { type Call, ScriptedProvider } from "../support/scripted-provider.ts";
import { evenChance, LONG_CHAINS } from "../support/world.ts";

/** Turns on virtual time, with a log of all that they told. */
export class TurnWorld {
  readonly time = new VirtualWorld(LONG_CHAINS);
  readonly events: AgentEvent[] = [];
  readonly slept: number[] = [];
  readonly provider: ScriptedProvider;

  constructor(...script: readonly Call[]) {
    this.provider = new ScriptedProvider("acme", script, this.time);
  }

  /** Sleeps on virtual time, as the timer's sleep does on the real one. */
  readonly sleep: RetryStrategy["sleep"] = (ms, signal) => {
    this.slept.push(ms);
    const { ports } = this.time;
    return new Promise((resolve, reject) => {
      const sleeper = { wakeAtMs: 0, slot: -1, wake: resolve };
      ports.sleep(sleeper, ms);
      signal.addEventListener("abort", () => {
        ports.rouse(sleeper);
        reject(signal.reason);
      });
    });
  };

  strategy(...delaysMs: readonly number[]): RetryStrategy {
    return { delayFor: (attempt) => delaysMs[attempt], sleep: this.sleep };
  }

  start(options: Partial<RunTurnInput> = {}): Promise<TurnResult> {
    return runTurn({
      conversationId: "c1",
      turnId: "t1",
      message: "Hello",
      provider: this.provider as Provider,
      model: "large",
      emit: (event) => this.events.push(event),
      ports: { ...this.time.ports, random: evenChance },
      ...options,
    });
  }

  run(options: Partial<RunTurnInput> = {}): Promise<TurnResult> {
    return this.time.until(this.start(options));
  }

  types(): string[] {
    return this.events.map(({ type }) => type);
  }

  event<T extends AgentEvent["type"]>(type: T): Extract<AgentEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  }

  get seals(): string[] {
    return this.event("turn-sealed").map(({ status }) => status);
  }
}
