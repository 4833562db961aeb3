import type { SessionEvent } from "../../wire/index.ts";
import type { SessionCore } from "../session-core.ts";
import type { Accepted } from "./left-behind.ts";

/** Called once: when the store has it, or a `warning` has said that it could not be saved. Nothing was told of it before. */
export type OnKept = () => void;

/** Waits for its turn. */
export interface HeldPrompt extends Accepted {
  readonly promptId: string;
}

type Core = Pick<SessionCore, "recorder" | "ports">;

const MOST_TITLE_CHARS = 60;

/** Begins the turn of a prompt, with what was left behind before it: its message is saved, then acknowledged, then announced. */
export function beginPrompt(core: Core, said: readonly Accepted[], onKept?: OnKept): void {
  const { recorder } = core;
  const [first] = said;
  if (recorder.context.length === 0 && first !== undefined) recorder.name(titleOf(first));
  const told = said.flatMap((one) => keepSaid(core, one));
  if (onKept !== undefined) recorder.inTurn(onKept);
  recorder.announce({ type: "agent_start" }, ...told);
}

/** Keeps what a person said as a message; the answer is what is to be told of it. */
export function keepSaid({ recorder, ports }: Core, { content, promptId }: Accepted): readonly SessionEvent[] {
  const message = { role: "user", content } as const;
  const messageId = ports.newId();
  recorder.record({ type: "message", data: promptId === undefined ? message : { ...message, promptId } });
  return [
    { type: "message_start", messageId, role: message.role },
    { type: "message_end", messageId, message },
  ];
}

/** Its turn comes later. Kept now, so that an end of the process in between does not cost it. */
export function holdPrompt({ recorder, ports }: Core, content: string, onKept?: OnKept): HeldPrompt {
  const held = { promptId: ports.newId(), content };
  recorder.record({ type: "prompt", data: held });
  if (onKept !== undefined) recorder.inTurn(onKept);
  return held;
}

/** Its turn never came: listeners are warned. */
export function dropPrompt({ recorder }: Core, held: HeldPrompt): void {
  recorder.record(
    { type: "prompt_dropped", data: held },
    { type: "warning", code: "dropped", message: `Dropped before sending: ${held.content}` },
  );
}

function titleOf({ content }: Accepted): string {
  return content.trim().replace(/\s+/g, " ").slice(0, MOST_TITLE_CHARS);
}
