import { sayDuration, textWidth } from "../../../terminal/index.ts";
import { type ChatState, healthOf, type ProviderHealth } from "../state/chat-state.ts";
import { clip } from "./clip.ts";
import { harmlessLine, type Line, type Span, span } from "./line.ts";

const GAP = " · ";
/** A shorter piece of a model's name is useless. */
const SHORTEST_MODEL = 8;

/**
 * Model, health, retries (off, or how many), tokens and help on one line. If it is too narrow, the help goes first, then words become signs, then
 * the model's name is shortened, then parts are dropped from the end.
 */
export function layoutStatus(state: ChatState, width: number): Line {
  const { input, output } = state.tokens;
  const { retries } = state.retries;
  const health = healthOf(state).map((one) => saySpan(one, state.model));
  const tried = (text: string, off: string): readonly Span[] => [
    ...(state.isAutoRetry ? [] : [span(off, "warn")]),
    ...(retries > 0 ? [span(text, "warn")] : []),
  ];
  const inWords = tried(`${retries} ${retries === 1 ? "retry" : "retries"}`, "retries off");
  const tokens = span(`${sayCount(input)} in, ${sayCount(output)} out`, "dim");
  const signs = span(`↑${sayCount(input)} ↓${sayCount(output)}`, "dim");
  const shortest = [...health, ...tried(`↻${retries}`, "↻off"), signs];
  const model = harmlessLine(state.model);
  const whole = [
    [...health, ...inWords, tokens, span("/help", "dim")],
    [...health, ...inWords, tokens],
    [...health, ...inWords, signs],
    shortest,
  ].find((parts) => textWidth(model) + widthOf(parts) <= width);
  if (whole !== undefined) return join(model, whole);
  const kept = shortest.filter((_, at) => SHORTEST_MODEL + widthOf(shortest.slice(0, at + 1)) <= width);
  return join(clip(model, width - widthOf(kept)), kept);
}

function widthOf(parts: readonly Span[]): number {
  return parts.reduce((sum, { text }) => sum + GAP.length + textWidth(text), 0);
}

function join(model: string, parts: readonly Span[]): Line {
  return [span(model, "bold"), ...parts.flatMap((part) => [span(GAP, "dim"), part])];
}

/** Omits the name of the model's own provider. */
function saySpan({ name: given, state, forMs }: ProviderHealth, model: string): Span {
  const name = model === given || model.startsWith(`${given}/`) ? "" : `${harmlessLine(given)} `;
  if (state === "cooling") return span(`${name}cooling ${sayDuration(Math.ceil(forMs / 1000) * 1000)}`, "warn");
  return state === "failing" ? span(`${name}failing`, "error") : span(`${name}ok`, "good");
}

/** 950, 1.2k, 34k */
export function sayCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}
