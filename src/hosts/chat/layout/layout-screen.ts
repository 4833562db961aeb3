import type { ChatState } from "../state/chat-state.ts";
import type { Item } from "../state/item.ts";
import { layoutActivity } from "./layout-activity.ts";
import { layoutInput } from "./layout-input.ts";
import { layoutItem } from "./layout-item.ts";
import { layoutStatus } from "./layout-status.ts";
import { type Line, span } from "./line.ts";

/** The screen from top to bottom. Together never more lines than the terminal has, less one. */
export interface ScreenLayout {
  readonly transcript: readonly Line[];
  readonly activity: readonly Line[];
  readonly input: readonly Line[];
  readonly status: Line;
  readonly cursor: { readonly row: number; readonly column: number };
  /** For scrolling: what there is, what shows, and from where. */
  readonly scroll: { readonly total: number; readonly height: number; readonly top: number };
}

const MOST_INPUT_LINES = 8;
const FEWEST_TRANSCRIPT_LINES = 1;
const WELCOME: Line = [span("Say something. /help tells the rest.", "dim")];

export function layoutScreen(state: ChatState): ScreenLayout {
  const { columns, rows } = state.size;
  // The last column stays free: a line that fills it wraps in some terminals, and so does a character that is wider there.
  const width = Math.max(10, columns - 1);
  const room = Math.max(4, rows - 1);
  const input = layoutInput(state.editor, width, Math.max(1, Math.min(MOST_INPUT_LINES, room - 3)));
  const activity = layoutActivity(state, width).slice(0, Math.max(0, room - input.lines.length - 2));
  const height = Math.max(FEWEST_TRANSCRIPT_LINES, room - input.lines.length - activity.length - 1);
  const all = layoutTranscript(state, width);
  const last = Math.max(0, all.length - height);
  const top = Math.min(state.scrollTop ?? last, last);
  const transcript = all.slice(top, top + height);
  return {
    transcript,
    activity,
    input: input.lines,
    status: layoutStatus(state, width),
    cursor: { row: transcript.length + activity.length + input.cursor.row, column: input.cursor.column },
    scroll: { total: all.length, height, top },
  };
}

interface Laid {
  readonly width: number;
  readonly isExpanded: boolean;
  readonly lines: readonly Line[];
}

/** Items never change: what one looked like is kept with it, and only the one that streams is laid out again. */
const laid = new WeakMap<Item, Laid>();

function linesOf(item: Item, width: number, isExpanded: boolean): readonly Line[] {
  const known = laid.get(item);
  if (known !== undefined && known.width === width && known.isExpanded === isExpanded) return known.lines;
  const lines = layoutItem(item, { width, isExpanded });
  laid.set(item, { width, isExpanded, lines });
  return lines;
}

/** All items, with a blank line between them; tool calls and notices stand together. */
function layoutTranscript({ items, isExpanded }: ChatState, width: number): readonly Line[] {
  const lines: Line[] = [];
  let wasAside = false;
  for (const item of items) {
    const own = linesOf(item, width, isExpanded);
    if (own.length === 0) continue;
    const isAside = item.kind === "tool" || item.kind === "notice";
    if (lines.length > 0 && !(isAside && wasAside)) lines.push([]);
    for (const line of own) lines.push(line);
    wasAside = isAside;
  }
  return lines.length === 0 ? [WELCOME, []] : [...lines, []];
}
