import type { PieceRedactor } from "../../wire/index.ts";
import type { Recorder } from "../record/recorder.ts";

type Kind = "text" | "reasoning";

export interface DeltasInput {
  readonly messageId: string;
  readonly recorder: Recorder;
  readonly redactPieces: (() => PieceRedactor) | undefined;
}

/** The pieces of one message as they are told: what may be the beginning of a secret waits for what follows it. */
export class ShowingDeltas {
  readonly #input: DeltasInput;
  #kind: Kind = "text";
  #pieces: PieceRedactor | undefined;

  constructor(input: DeltasInput) {
    this.#input = input;
    this.#pieces = input.redactPieces?.();
  }

  add(kind: Kind, piece: string): void {
    // Another kind is another text.
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    this.#tell(this.#pieces === undefined ? piece : this.#pieces.push(piece));
  }

  flush(): void {
    if (this.#pieces !== undefined) this.#tell(this.#pieces.flush());
  }

  #tell(delta: string): void {
    const { messageId, recorder } = this.#input;
    if (delta !== "") recorder.announce({ type: "message_delta", messageId, kind: this.#kind, delta });
  }
}
