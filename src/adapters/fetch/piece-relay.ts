import type { Piece } from "../../formats/index.ts";
import type { StreamGeneration, Waiter } from "../../kernel/index.ts";
import { StreamCore } from "../../library/direct-stream/index.ts";

/** The body of an answer: gives a piece of the generation for each that is asked for. One that breaks fails with the generation's error. */
export class PieceRelay extends StreamCore<Uint8Array> {
  private first: Uint8Array | undefined;
  private readonly generation: StreamGeneration<Piece>;
  /** Made once for all pieces. */
  private readonly take: Waiter<Piece> = (result) => {
    if ("then" in result) result.then(undefined, (error) => this.fail(error));
    else if (result.done === true) this.close();
    else if (result.value.bytes.length > 0) this.give(result.value.bytes);
    // Only what the end of the body has told.
    else queueMicrotask(this.askAgain);
  };
  private readonly askAgain = (): void => this.generation.read(this.take);

  /** `first`: the piece that the first content was waited for with. */
  constructor(first: Uint8Array, generation: StreamGeneration<Piece>) {
    super();
    this.first = first;
    this.generation = generation;
  }

  override pull(): void {
    const { first } = this;
    if (first === undefined) return this.generation.read(this.take);
    this.first = undefined;
    this.give(first);
  }

  override leave(): Promise<unknown> {
    return this.generation.return();
  }
}
