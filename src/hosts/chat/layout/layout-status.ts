import { sayDuration, textWidth } from "../../../terminal/index.ts";
import { type ChatState, healthOf, type ProviderHealth } from "../state/chat-state.ts";
import { clip } from "./clip.ts";
import { harmlessLine, type Line, type Span, span } from "./line.ts";

/** Model, tokens, retries, health, on one line; what does not fit is left out from the end. */
export function layoutStatus(state: ChatState, width: number): Line {
  const { input, output } = state.tokens;
  const { retries } = state.metrics;
  const parts: readonly Span[] = [
    span(clip(harmlessLine(state.model), width), "bold"),
    ...healthOf(state).map((health) => saySpan(health, state.model)),
    ...(retries > 0 ? [span(`${retries} ${retries === 1 ? "retry" : "retries"}`, "warn")] : []),
    span(`${sayCount(input)} in, ${sayCount(output)} out`, "dim"),
    span("/help", "dim"),
  ];
  const line: Span[] = [];
  let used = 0;
  for (const part of parts) {
    const needed = textWidth(part.text) + (used === 0 ? 0 : 3);
    if (used > 0 && used + needed > width) continue;
    if (used > 0) line.push(span(" · ", "dim"));
    line.push(part);
    used += needed;
  }
  return line;
}

/** The model's own provider is not named again. */
function saySpan({ name: given, state, forMs }: ProviderHealth, model: string): Span {
  const name = model === given || model.startsWith(`${given}/`) ? "" : `${harmlessLine(given)} `;
  if (state === "cooling") return span(`${name}rests ${sayDuration(Math.ceil(forMs / 1000) * 1000)}`, "warn");
  return state === "failing" ? span(`${name}failing`, "error") : span(`${name}well`, "good");
}

/** 950, 1.2k, 34k */
export function sayCount(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}
