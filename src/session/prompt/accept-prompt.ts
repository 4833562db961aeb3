import type { SessionEntry, SessionEvent } from "../../wire/index.ts";
import { titleOf } from "../record/title-of.ts";
import type { SessionCore } from "../session-core.ts";
import type { Accepted } from "./left-behind.ts";

/**
 * Called when the store has the text, before any event about it. With this callback, a text that could not be saved is refused:
 * the session is as if it had never come. Without, it is sent all the same, and a `warning` reports that it is not saved.
 */
export type OnKept = () => void;

/** Waits for its turn. */
export interface HeldPrompt extends Accepted {
  readonly promptId: string;
}

/** A prompt that waits, and whether the store has it: rejects if it was refused. Absent: it waits, saved or not. */
export interface Holding {
  readonly held: HeldPrompt;
  readonly kept?: Promise<void>;
}

type Core = Pick<SessionCore, "recorder" | "ports">;

/**
 * Begins the turn of a prompt, with what was left behind before it: its message is saved, then acknowledged, then announced. With
 * `onKept`, resolves when it is saved and rejects if it was refused.
 */
export function beginPrompt(core: Core, said: readonly Accepted[], onKept?: OnKept): Promise<void> | undefined {
  const { recorder } = core;
  const [first] = said;
  if (recorder.context.length === 0 && first !== undefined) recorder.name(titleOf(first.content));
  const messages = said.map((one) => messageOf(core, one));
  const events: readonly SessionEvent[] = [{ type: "agent_start" }, ...messages.flatMap((one) => one.events)];
  if (onKept !== undefined) {
    const entries = messages.map(({ entry }) => entry);
    return handled(recorder.recordOrRefuse(entries, onKept, events));
  }
  for (const { entry } of messages) recorder.record(entry);
  recorder.announce(...events);
  return undefined;
}

/** Keeps what a person said as a message, and announces it. */
export function keepSaid(core: Core, said: Accepted): void {
  const { entry, events } = messageOf(core, said);
  core.recorder.record(entry);
  core.recorder.announce(...events);
}

interface Said {
  readonly entry: SessionEntry;
  readonly events: readonly SessionEvent[];
}

function messageOf({ ports }: Core, { content, promptId }: Accepted): Said {
  const message = { role: "user", content } as const;
  const messageId = ports.newId();
  return {
    entry: { type: "message", data: promptId === undefined ? message : { ...message, promptId } },
    events: [
      { type: "message_start", messageId, role: message.role },
      { type: "message_end", messageId, message },
    ],
  };
}

/** Its turn comes later. Kept now, so that an end of the process in between does not cost it. */
export function holdPrompt({ recorder, ports }: Core, content: string, onKept?: OnKept): Holding {
  const held = { promptId: ports.newId(), content };
  const entry = { type: "prompt", data: held } as const;
  if (onKept !== undefined) return { held, kept: handled(recorder.recordOrRefuse([entry], onKept)) };
  recorder.record(entry);
  return { held };
}

/** Those that were not refused, once that is known. */
export async function notRefused(holdings: readonly Holding[]): Promise<readonly HeldPrompt[]> {
  const ends = await Promise.allSettled(holdings.map(({ kept }) => kept));
  return holdings.flatMap(({ held }, index) => (ends[index]?.status === "fulfilled" ? [held] : []));
}

/** It may be refused long before it is awaited: that must not end the process. */
function handled(kept: Promise<void>): Promise<void> {
  kept.catch(() => undefined);
  return kept;
}

/** Its turn never came: listeners are warned. */
export function dropPrompt({ recorder }: Core, held: HeldPrompt): void {
  recorder.record(
    { type: "prompt_dropped", data: held },
    { type: "warning", code: "dropped", message: `Dropped before sending: ${held.content}` },
  );
}
