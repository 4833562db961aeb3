import type { AssistantItem, Item, Tone, ToolItem } from "../state/item.ts";
import { clip } from "./clip.ts";
import { layoutGrowing } from "./layout-growing.ts";
import { layoutMarkdown } from "./layout-markdown.ts";
import { harmless, harmlessLine, type Line, type Style, span } from "./line.ts";
import { breakText, wrapSpans } from "./wrap-spans.ts";

export interface Frame {
  readonly width: number;
  /** Tool calls and reasoning are shown in full. */
  readonly isExpanded: boolean;
}

const MOST_RESULT_LINES = 40;
const MOST_ARGUMENT_CHARS = 200;
const MOST_DETAIL_CHARS = 2000;

/** Lays out one item. Cleans all foreign text here, before splitting it. */
export function layoutItem(item: Item, frame: Frame): readonly Line[] {
  const { width } = frame;
  switch (item.kind) {
    case "user":
      return wrapLines(harmless(item.text), width);
    case "assistant":
      return layoutAnswer(item, frame);
    case "tool":
      return layoutTool(item, frame);
    case "notice":
      return [
        ...noticeLines(
          item.isOneLine === true ? clip(harmlessLine(item.text), width - 2) : item.text,
          item.tone,
          width,
        ),
        ...(item.details !== undefined && frame.isExpanded ? detailLines(item.details, width) : []),
      ];
    case "page":
      return layoutMarkdown(harmless(item.text), width);
    default:
      return item satisfies never;
  }
}

function wrapLines(text: string, width: number): readonly Line[] {
  return text.split("\n").flatMap((line, index) =>
    wrapSpans([span(line, "you")], {
      width,
      first: span(index === 0 ? "❯ " : "  ", "you"),
      rest: span("  "),
      keepsSpaces: true,
    }),
  );
}

function layoutAnswer({ text, reasoning, isStreaming, remark }: AssistantItem, frame: Frame): readonly Line[] {
  const { width, isExpanded } = frame;
  const thought = harmless(reasoning);
  const answer = isStreaming ? layoutGrowing(text, width) : layoutMarkdown(harmless(text), width);
  // Copying a long answer for every frame costs as much as painting it.
  if (thought === "" && remark === undefined) return answer;
  const isThinking = isStreaming && text === "";
  const head: Line = [span(`${isExpanded ? "▾" : "▸"} ${isThinking ? "thinking…" : "thought"}`, "dim")];
  const details = isExpanded
    ? thought.split("\n").flatMap((line) => wrapSpans([span(line, "dim")], { width, first: span("  ") }))
    : [];
  return [
    ...(thought === "" ? [] : [head, ...details]),
    ...answer,
    ...(remark === undefined ? [] : noticeLines(remark.text, remark.tone, width)),
  ];
}

/** One line, unless expanded. */
function layoutTool({ name, arguments: args, result }: ToolItem, { width, isExpanded }: Frame): readonly Line[] {
  const content = result === undefined ? "" : harmless(result.content);
  const lines = content.split("\n");
  const outcome =
    result === undefined ? "…" : result.isError ? "failed" : `${lines.length} line${lines.length === 1 ? "" : "s"}`;
  const style: Style = result?.isError === true ? "error" : "dim";
  const head = `${isExpanded ? "▾" : "▸"} ${harmlessLine(name)} ${argumentsOf(args)}`;
  const title: Line = [span(`${clip(head.trimEnd(), width - outcome.length - 3)} → ${outcome}`, style)];
  if (!isExpanded || result === undefined) return [title];
  const shown = breakText(lines.slice(0, MOST_RESULT_LINES).join("\n"), width - 2).slice(0, MOST_RESULT_LINES);
  const more =
    lines.length > MOST_RESULT_LINES ? [[span(`  … ${lines.length - MOST_RESULT_LINES} more lines`, "dim")]] : [];
  return [title, ...shown.map((line) => [span("  "), span(line, "dim")]), ...more];
}

function argumentsOf(args: Readonly<Record<string, unknown>>): string {
  const words = Object.values(args).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return harmlessLine(words.join(" ").slice(0, MOST_ARGUMENT_CHARS));
}

const MARKS: Readonly<Record<Tone, readonly [mark: string, style: Style]>> = {
  info: ["·", "dim"],
  warn: ["↻", "warn"],
  error: ["✗", "error"],
  good: ["✓", "good"],
};

/** A provider's message below the line that sums it up. It may be a whole page of HTML, and a loader is laid out at every tick. */
export function detailLines(text: string, width: number): readonly Line[] {
  const shown = harmlessLine(text.slice(0, MOST_DETAIL_CHARS + 1));
  return wrapSpans([span(clip(shown, MOST_DETAIL_CHARS), "dim")], { width, first: span("  ") });
}

function noticeLines(text: string, tone: Tone, width: number): readonly Line[] {
  const [mark, style] = MARKS[tone];
  return wrapSpans([span(harmlessLine(text), style)], { width, first: span(`${mark} `, style), rest: span("  ") });
}
