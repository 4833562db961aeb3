import type { AgentEvent } from "../../../wire/index.ts";

/** With an unlimited schedule a turn may wait for days: older waits are of no use to a client that joins late. */
const MOST_RETRIES_IN_A_ROW = 50;

/** The events of a turn under way, for clients that join late. Adjacent deltas are joined. */
export class TurnLog {
  readonly #events: AgentEvent[] = [];
  #retriesInARow = 0;

  get events(): readonly AgentEvent[] {
    return this.#events;
  }

  add(event: AgentEvent): void {
    const last = this.#events.at(-1);
    if (last !== undefined && (event.type === "text-delta" || event.type === "reasoning-delta")) {
      if (last.type === event.type) {
        this.#events[this.#events.length - 1] = { ...last, text: last.text + event.text };
        return;
      }
    }
    this.#retriesInARow = event.type === "provider-retry" ? this.#retriesInARow + 1 : 0;
    this.#events.push(event);
    if (this.#retriesInARow <= MOST_RETRIES_IN_A_ROW) return;
    this.#events.splice(-this.#retriesInARow, 1);
    this.#retriesInARow -= 1;
  }
}
