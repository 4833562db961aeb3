import { sayDuration } from "../../../terminal/index.ts";
import type { ChatState } from "../state/chat-state.ts";
import { silenceOf } from "../state/progress.ts";
import { type Line, type Span, span } from "./line.ts";
import { wrapSpans } from "./wrap-spans.ts";

/** One step per tick. Braille patterns take one column in every terminal. */
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 200;

/** A running prompt: that it runs, for how long, and after a silence, how long the watchdog still waits. */
export function layoutWorking(state: ChatState, width: number): readonly Line[] {
  const { progress, nowMs, hasMotion } = state;
  const elapsedMs = wholeSeconds(nowMs - progress.startedMs);
  const spinner = hasMotion ? `${FRAMES[Math.floor(nowMs / FRAME_MS) % FRAMES.length]} ` : "";
  const elapsed = elapsedMs === 0 ? "" : ` ${sayDuration(elapsedMs)}`;
  const line = wrapSpans([span(`${spinner}Working…${elapsed} (esc to stop)`, "dim")], { width });
  const silence = saySilence(state);
  return silence === undefined ? line : [...line, ...wrapSpans([silence], { width, first: span("  ") })];
}

function saySilence({ progress, watchdog, nowMs }: ChatState): Span | undefined {
  const silence = silenceOf(progress, watchdog, nowMs);
  if (silence === undefined) return undefined;
  const quiet = sayDuration(wholeSeconds(silence.quietMs));
  const what = progress.awaits === "first" ? "No answer yet" : `Nothing new for ${quiet}`;
  if (silence.leftMs === null) return span(what, "dim");
  return span(`${what}; this attempt times out in ${sayDuration(Math.ceil(silence.leftMs / 1000) * 1000)}`, "warn");
}

function wholeSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000)) * 1000;
}
