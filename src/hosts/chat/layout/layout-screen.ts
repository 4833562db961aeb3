import type { ChatState } from "../state/chat-state.ts";
import type { Item } from "../state/item.ts";
import { layoutActivity } from "./layout-activity.ts";
import { layoutInput } from "./layout-input.ts";
import { type Frame, layoutItem } from "./layout-item.ts";
import { layoutMenu } from "./layout-menu.ts";
import { layoutStatus } from "./layout-status.ts";
import { type Line, span } from "./line.ts";

interface ScreenLayout {
  /** From top to bottom: transcript, activity, menu, input, status. One less than the terminal has, at most. */
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number };
  /** Of the transcript: lines in all, lines that show, and the first of those. */
  readonly scroll: { readonly total: number; readonly height: number; readonly top: number };
}

const MOST_INPUT_LINES = 8;
const FEWEST_TRANSCRIPT_LINES = 1;
const WELCOME: Line = [span("Type a message, or /help.", "dim")];

export function layoutScreen(state: ChatState): ScreenLayout {
  const { columns, rows } = state.size;
  // The last column stays free: some terminals wrap a line that fills it, or show a character wider than we count.
  const width = Math.max(10, columns - 1);
  const room = Math.max(4, rows - 1);
  const input = layoutInput(state.editor, width, Math.max(1, Math.min(MOST_INPUT_LINES, room - 3)));
  const free = room - input.lines.length - 1 - FEWEST_TRANSCRIPT_LINES;
  const activity = layoutActivity(state, width).slice(0, Math.max(0, free));
  const menu = state.menu === undefined ? [] : layoutMenu(state.menu, width, free - activity.length);
  const below = [...activity, ...menu];
  const height = Math.max(FEWEST_TRANSCRIPT_LINES, room - input.lines.length - below.length - 1);
  const all = layoutTranscript(state, width);
  const last = Math.max(0, all.length - height);
  const top = Math.min(state.scrollTop ?? last, last);
  const transcript = all.slice(top, top + height);
  return {
    lines: [...transcript, ...below, ...input.lines, layoutStatus(state, width)],
    cursor: { row: transcript.length + below.length + input.cursor.row, column: input.cursor.column },
    scroll: { total: all.length, height, top },
  };
}

/** Items are immutable, so their layout is cached: only the one that streams is laid out again. */
const cache = new WeakMap<Item, Frame & { readonly lines: readonly Line[] }>();

function linesOf(item: Item, frame: Frame): readonly Line[] {
  const known = cache.get(item);
  if (known?.width === frame.width && known.isExpanded === frame.isExpanded) return known.lines;
  const lines = layoutItem(item, frame);
  cache.set(item, { ...frame, lines });
  return lines;
}

/** All items, separated by blank lines, except between tool calls and notices. */
function layoutTranscript({ items, isExpanded }: ChatState, width: number): readonly Line[] {
  const lines: Line[] = [];
  let wasAside = false;
  for (const item of items) {
    const own = linesOf(item, { width, isExpanded });
    if (own.length === 0) continue;
    const isAside = item.kind === "tool" || item.kind === "notice";
    if (lines.length > 0 && !(isAside && wasAside)) lines.push([]);
    for (const line of own) lines.push(line);
    wasAside = isAside;
  }
  if (lines.length === 0) lines.push(WELCOME);
  lines.push([]);
  return lines;
}
