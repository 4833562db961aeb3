import type { SessionEvent } from "../../../wire/index.ts";

/** Limits of the engine's watchdog. Null: none. */
export interface Watchdog {
  readonly firstContentMs: number | null;
  readonly idleMs: number | null;
}

/** How the running prompt comes along. */
export interface Progress {
  /** When the prompt started. */
  readonly startedMs: number;
  /** When the last content arrived, or the attempt started. In the future while a retry waits. */
  readonly quietSinceMs: number;
  /** What comes next: the first content of an attempt, more of it, or the results of tools, which have no watchdog. */
  readonly awaits: "first" | "more" | "tools";
}

export const IDLE: Progress = { startedMs: 0, quietSinceMs: 0, awaits: "first" };

/** Below that, silence is normal. */
const WORTH_SAYING_MS = 10_000;

/** Follows the prompt's own events. Retries of tool calls do not count. */
export function followProgress(progress: Progress, event: SessionEvent, atMs: number): Progress {
  switch (event.type) {
    case "agent_start":
      return { startedMs: atMs, quietSinceMs: atMs, awaits: "first" };
    case "message_start":
    case "message_delta":
      return { ...progress, quietSinceMs: atMs, awaits: "more" };
    case "tool_start":
    case "compaction_start":
      return { ...progress, quietSinceMs: atMs, awaits: "tools" };
    // The next step begins; if other tools still run, their end moves its start.
    case "tool_end":
    case "compaction_end":
    case "message_discard":
      return { ...progress, quietSinceMs: atMs, awaits: "first" };
    case "auto_retry_start":
      if (event.origin !== undefined) return progress;
      return { ...progress, quietSinceMs: atMs + event.delayMs, awaits: "first" };
    default:
      return progress;
  }
}

/** For how long nothing has arrived, and when the watchdog ends the attempt. Undefined: not worth a line. */
export function silenceOf(
  { quietSinceMs, awaits }: Progress,
  watchdog: Watchdog,
  nowMs: number,
): { readonly quietMs: number; readonly leftMs: number | null } | undefined {
  const quietMs = nowMs - quietSinceMs;
  if (awaits === "tools" || quietMs < WORTH_SAYING_MS) return undefined;
  const limitMs = awaits === "first" ? watchdog.firstContentMs : watchdog.idleMs;
  return { quietMs, leftMs: limitMs === null ? null : Math.max(0, limitMs - quietMs) };
}
