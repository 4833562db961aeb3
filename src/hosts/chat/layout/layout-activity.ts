import type { ChatState } from "../state/chat-state.ts";
import type { Item } from "../state/item.ts";
import { loaderText, reasonText, shownWaits, type Wait } from "../state/wait.ts";
import { clip } from "./clip.ts";
import { detailLines } from "./layout-item.ts";
import { layoutWorking } from "./layout-working.ts";
import { harmlessLine, type Line, span } from "./line.ts";
import { wrapSpans } from "./wrap-spans.ts";

const MOST_LOADERS = 3;

/** Loaders, progress, messages that the agent has not read yet, and hints. */
export function layoutActivity(state: ChatState, width: number): readonly Line[] {
  const waits = ownFirst(shownWaits(state.waits, state.nowMs));
  const sayIf = (isSo: boolean, text: string, style: "dim" | "warn"): readonly Line[] =>
    isSo ? wrapSpans([span(text, style)], { width }) : [];
  return [
    ...waits.slice(0, MOST_LOADERS).flatMap((wait) => loaderLines(wait, state, width)),
    ...sayIf(waits.length > MOST_LOADERS, `and ${waits.length - MOST_LOADERS} more`, "warn"),
    ...(state.isBusy && waits.length === 0 ? layoutWorking(state, width) : []),
    ...state.pending.map((text): Line => [span(clip(`next: ${harmlessLine(text)}`, width), "dim")]),
    ...sayIf(state.leaveUntilMs > state.nowMs, "Press Ctrl-C again to quit.", "warn"),
    ...sayIf(state.mouse === "lent", "Drag to select text. The wheel scrolls again after the next key.", "dim"),
    ...sayIf(state.scrollTop !== null, "PgDn scrolls down.", "dim"),
  ];
}

/** The prompt's own retry before those of tool calls. */
function ownFirst(waits: readonly Wait[]): readonly Wait[] {
  return waits.toSorted((one, other) => Number(one.origin !== undefined) - Number(other.origin !== undefined));
}

/** S10, with the reason in words and B8's "retry now" below it; expanded, with the provider's message. */
function loaderLines(wait: Wait, { nowMs, items, isExpanded }: ChatState, width: number): readonly Line[] {
  const whose = wait.origin === undefined ? "" : `${nameOf(wait.origin, items)}: `;
  const loader = wrapSpans([span(`${whose}${loaderText(wait, nowMs)}`, "warn")], { width });
  return [
    ...loader,
    [span(clip(`  enter: now · ${harmlessLine(reasonText(wait, nowMs))}`, width), "dim")],
    ...(isExpanded ? detailLines(wait.errorMessage, width) : []),
  ];
}

function nameOf(origin: string, items: readonly Item[]): string {
  const call = items.find((item) => item.kind === "tool" && item.id === origin);
  return harmlessLine(call?.kind === "tool" ? call.name : origin);
}
