import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { StreamGeneration, Waiter } from "../../kernel/index.ts";
import { withReceipt } from "./with-receipt.ts";

type Part = LanguageModelV3StreamPart;
type Controller = ReadableStreamDefaultController<Part>;

/** A part as the reader gets it; undefined: it is left out. */
type Show = (part: Part) => Part | undefined;

/** Gives a generation's parts to the reader of a stream, one for each that it asks for. */
export class AnswerRelay {
  private readonly generation: StreamGeneration<Part>;
  private readonly first: Part;
  private readonly show: Show;
  /** Tool calls, what follows them, and the finish: given out once the answer is known to be whole. */
  private held: Part[] | undefined = undefined;
  private isLeft = false;
  private controller: Controller | undefined = undefined;
  /** Made once for all parts. */
  private readonly take: Waiter<Part> = (result) => {
    if ("then" in result) result.then(undefined, (error) => this.fail(error));
    else if (this.isLeft) return;
    else if (result.done === true) this.finish();
    // Not at once: what is ready comes from inside of `read`, and the stack would grow with every part.
    else if (!this.give(result.value)) queueMicrotask(this.ask);
  };
  private readonly ask = (): void => this.generation.read(this.take);

  constructor(generation: StreamGeneration<Part>, first: Part, show: Show) {
    this.generation = generation;
    this.first = first;
    this.show = show;
  }

  start(controller: Controller): void {
    this.controller = controller;
    this.give(this.first);
  }

  /** Returns nothing: the stream is told by what is put into it, which spares it a promise for each part. */
  pull(): void {
    this.ask();
  }

  async cancel(): Promise<void> {
    this.isLeft = true;
    await this.generation.return();
  }

  /** False: the reader still waits. */
  private give(part: Part): boolean {
    const shown = this.show(part);
    if (shown === undefined || this.holds(shown)) return false;
    this.controller?.enqueue(shown);
    return true;
  }

  private holds(part: Part): boolean {
    const isFirst = part.type === "finish" || (part.type === "tool-call" && part.providerExecuted !== true);
    if (this.held === undefined && !isFirst) return false;
    this.held ??= [];
    this.held.push(part);
    return true;
  }

  private finish(): void {
    for (const part of this.held ?? []) {
      this.controller?.enqueue(part.type === "finish" ? withReceipt(part, this.generation.receipt) : part);
    }
    this.controller?.close();
  }

  /**
   * An error is a part of the stream, as the AI SDK has it: `onError` and the page hear of it. Thrown, it would end the process
   * of a server that pipes the stream into its response. An abort is thrown: the AI SDK looks for that.
   */
  private fail(error: unknown): void {
    if (this.isLeft) return;
    if (this.generation.reason === "aborted") return this.controller?.error(error);
    this.controller?.enqueue({ type: "error", error });
    this.controller?.close();
  }
}
