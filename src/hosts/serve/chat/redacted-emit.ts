import type { AgentEvent, PieceRedactor, Redact } from "../../../wire/index.ts";

type DeltaEvent = Extract<AgentEvent, { type: "text-delta" | "reasoning-delta" }>;

interface Redaction {
  readonly redact: Redact;
  readonly redactPieces?: () => PieceRedactor;
}

/** Removes secrets from the events of one turn: what may be the beginning of one is held back until more of its text arrives. */
export function redactedEmit(
  { redact, redactPieces }: Redaction,
  emit: (event: AgentEvent) => void,
): (event: AgentEvent) => void {
  let held: { readonly pieces: PieceRedactor; readonly last: DeltaEvent } | undefined;
  const flush = (): void => {
    if (held === undefined) return;
    const text = held.pieces.flush();
    if (text !== "") emit({ ...held.last, text });
    held = undefined;
  };
  return (event) => {
    const isDelta = event.type === "text-delta" || event.type === "reasoning-delta";
    if (!isDelta || redactPieces === undefined) {
      flush();
      return emit(redact(event));
    }
    // Another kind is another text.
    if (held !== undefined && held.last.type !== event.type) flush();
    held = { pieces: held?.pieces ?? redactPieces(), last: event };
    const text = held.pieces.push(event.text);
    if (text !== "") emit({ ...event, text });
  };
}
