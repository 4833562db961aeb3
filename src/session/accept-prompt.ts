import type { SessionCore } from "./session-core.ts";

/** Called once: when the store has it, or a `warning` has said that it could not be saved. Nothing was told of it before. */
export type OnKept = () => void;

type Core = Pick<SessionCore, "recorder" | "ports">;

const MOST_TITLE_CHARS = 60;

/** The turn of a prompt begins: its message is kept, then acknowledged, then told. */
export function beginPrompt({ recorder, ports }: Core, content: string, onKept?: OnKept): void {
  if (recorder.context.length === 0) recorder.name(content.trim().replace(/\s+/g, " ").slice(0, MOST_TITLE_CHARS));
  const message = { role: "user", content } as const;
  const messageId = ports.newId();
  recorder.record({ type: "message", data: message });
  if (onKept !== undefined) recorder.inTurn(onKept);
  recorder.announce(
    { type: "agent_start" },
    { type: "message_start", messageId, role: message.role },
    { type: "message_end", messageId, message },
  );
}

/** Its turn comes later. Kept now, so that an end of the process in between does not cost it. */
export function holdPrompt({ recorder }: Core, content: string, onKept?: OnKept): void {
  recorder.record({ type: "prompt", data: { content } });
  if (onKept !== undefined) recorder.inTurn(onKept);
}

/** Its turn never came, and whoever said it is told. */
export function dropPrompt({ recorder }: Core, content: string): void {
  recorder.record(
    { type: "prompt_dropped", data: { content } },
    { type: "warning", message: `Not said any more: ${content}` },
  );
}
