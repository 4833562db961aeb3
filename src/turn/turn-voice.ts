import type { Ports } from "../kernel/index.ts";
import type { AgentEvent } from "../wire/turn-event.ts";
import type { RunTurnInput } from "./run-turn-input.ts";

/** An event without the ids that all events of a turn share. */
export type TurnEventBody = AgentEvent extends infer E
  ? E extends AgentEvent
    ? Omit<E, "conversationId" | "turnId">
    : never
  : never;

export type TellTurn = (body: TurnEventBody) => void;

/** Emits the events of one turn. After the seal it emits none: what comes late belongs to no turn. */
export function turnVoice({ conversationId, turnId, emit }: RunTurnInput, ports: Ports): TellTurn {
  let isSealed = false;
  return (body) => {
    if (isSealed) return;
    isSealed = body.type === "turn-sealed";
    try {
      const heard: unknown = emit({ ...body, conversationId, turnId } as AgentEvent);
      // An async listener: unheard, its rejection would end the process.
      if (heard instanceof Promise) heard.catch((fault) => ports.reportFault(fault, "turn listener"));
    } catch (fault) {
      ports.reportFault(fault, "turn listener");
    }
  };
}
