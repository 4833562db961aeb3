import type { Ports } from "../kernel/index.ts";
import type { AgentEvent } from "../wire/turn-event.ts";
import type { RunTurnInput } from "./run-turn-input.ts";

/** An event without the ids that all events of a turn share. */
export type TurnEventBody = AgentEvent extends infer E
  ? E extends AgentEvent
    ? Omit<E, "conversationId" | "turnId">
    : never
  : never;

/** Emits the events of one turn. After the seal it emits none: what comes late belongs to no turn. */
export class TurnVoice {
  readonly #input: RunTurnInput;
  readonly #ports: Ports;
  #isSealed = false;

  constructor(input: RunTurnInput, ports: Ports) {
    this.#input = input;
    this.#ports = ports;
  }

  tell(body: TurnEventBody): void {
    if (this.#isSealed) return;
    if (body.type === "turn-sealed") this.#isSealed = true;
    const { conversationId, turnId, emit } = this.#input;
    try {
      emit({ ...body, conversationId, turnId } as AgentEvent);
    } catch (fault) {
      this.#ports.reportFault(fault, "turn listener");
    }
  }
}
