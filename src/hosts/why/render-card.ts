import { EXPLANATIONS } from "../../explain/explain-kind.ts";
import type { PresetVerdict } from "../../explain/preset-verdict.ts";
import { willWaitingHelp } from "../../explain/will-waiting-help.ts";
import type { Failure } from "../../kernel/index.ts";
import { besideLabel, type Colours, cleanText, maskSecrets, sayKind, wrapText } from "../../terminal/index.ts";

interface Card {
  readonly failure: Failure;
  readonly provider: string | undefined;
  readonly verdicts: readonly PresetVerdict[];
  readonly columns: number;
  readonly colours: Colours;
}

const INDENT = "  ";
const LABEL_COLUMNS = 20;
const PRESET_COLUMNS = 12;
/** In a narrower window labels are above their texts instead of next to them. */
const BESIDE_FROM_COLUMNS = 56;
/** Enough of the message to recognise it. */
const MOST_QUOTED_LINES = 4;
const MOST_QUOTED_CHARS = 4_000;

/** The explanation as lines of at most `columns` columns. */
export function renderCard(card: Card): string[] {
  const { failure, columns, colours } = card;
  const { whatHappened, whoActs } = EXPLANATIONS[failure.kind];
  const heading = [
    sayKind(failure.kind),
    failure.status === undefined ? "" : `HTTP ${failure.status}`,
    quote(card.provider ?? ""),
  ]
    .filter((part) => part !== "")
    .join(" · ");
  const tint = failure.retryable ? colours.yellow : colours.red;
  const facts = `${failure.evidence} → ${failure.kind}, scope ${failure.scope}, ${failure.retryable ? "retryable" : "not retryable"} (${failure.confidence})`;
  const message = quotedLines(failure.message, columns);
  return [
    "",
    ...block(heading, columns).map((line) => colours.bold(tint(line))),
    ...block(whatHappened, columns),
    "",
    ...field("Who has to act", whoActs, card),
    ...field("Will waiting help?", willWaitingHelp(failure), card),
    ...(message.length === 0 ? [] : field("Message", message.join("\n"), card)),
    ...field("Decided by", facts, card),
    "",
    ...block("What each preset would do", columns).map((line) => colours.bold(line)),
    ...card.verdicts.flatMap(({ preset, verdict }) => beside(preset, PRESET_COLUMNS, verdict, card)),
    "",
  ];
}

/** A label and its text, side by side if there is room. */
function field(label: string, text: string, card: Card): string[] {
  if (card.columns >= BESIDE_FROM_COLUMNS) return beside(label, LABEL_COLUMNS, text, card);
  const width = card.columns - INDENT.length * 2;
  return [`${INDENT}${card.colours.dim(label)}`, ...wrapText(text, width).map((line) => `${INDENT}${INDENT}${line}`)];
}

function beside(label: string, labelColumns: number, text: string, { columns, colours }: Card): string[] {
  const layout = { labelColumns, columns: columns - INDENT.length, styleLabel: colours.dim };
  return besideLabel(label, text, layout).map((line) => `${INDENT}${line}`);
}

function block(text: string, columns: number): string[] {
  return wrapText(text, columns - INDENT.length).map((line) => `${INDENT}${line}`);
}

function quotedLines(message: string, columns: number): string[] {
  const width = columns >= BESIDE_FROM_COLUMNS ? columns - INDENT.length - LABEL_COLUMNS : columns - INDENT.length * 2;
  const lines = wrapText(quote(message), width).filter((line) => line !== "");
  if (lines.length <= MOST_QUOTED_LINES) return lines;
  return [...lines.slice(0, MOST_QUOTED_LINES - 1), "…"];
}

/** Masks before wrapping, so that no part of a key is left at a line end. */
function quote(message: string): string {
  return maskSecrets(cleanText(message.slice(0, MOST_QUOTED_CHARS))).trim();
}
