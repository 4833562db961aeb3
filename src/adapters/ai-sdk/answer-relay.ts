import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { StreamGeneration } from "../../kernel/index.ts";
import { withReceipt } from "./with-receipt.ts";

type Part = LanguageModelV3StreamPart;
type Controller = ReadableStreamDefaultController<Part>;

/** Gives a generation's parts to the reader of a stream, one for each that it asks for. */
export class AnswerRelay {
  private readonly generation: StreamGeneration<Part>;
  private readonly first: Part;
  /** Tool calls, what follows them, and the finish: given out once the answer is known to be whole. */
  private held: Part[] | undefined = undefined;
  private isLeft = false;

  constructor(generation: StreamGeneration<Part>, first: Part) {
    this.generation = generation;
    this.first = first;
  }

  start(controller: Controller): void {
    if (!this.holds(this.first)) controller.enqueue(this.first);
  }

  /** Returns nothing: the stream is told by what is put into it, which spares it a promise for each part. */
  pull(controller: Controller): void {
    this.generation.next().then(
      (result) => {
        if (this.isLeft) return;
        if (result.done === true) this.finish(controller);
        else if (this.holds(result.value)) this.pull(controller);
        else controller.enqueue(result.value);
      },
      (error) => this.fail(controller, error),
    );
  }

  async cancel(): Promise<void> {
    this.isLeft = true;
    await this.generation.return();
  }

  private holds(part: Part): boolean {
    const isFirst = part.type === "finish" || (part.type === "tool-call" && part.providerExecuted !== true);
    if (this.held === undefined && !isFirst) return false;
    this.held ??= [];
    this.held.push(part);
    return true;
  }

  private finish(controller: Controller): void {
    for (const part of this.held ?? []) {
      controller.enqueue(part.type === "finish" ? withReceipt(part, this.generation.receipt) : part);
    }
    controller.close();
  }

  /**
   * An error is a part of the stream, as the AI SDK has it: `onError` and the page hear of it. Thrown, it would end the process
   * of a server that pipes the stream into its response. An abort is thrown: the AI SDK looks for that.
   */
  private fail(controller: Controller, error: unknown): void {
    if (this.isLeft) return;
    if (this.generation.reason === "aborted") return controller.error(error);
    controller.enqueue({ type: "error", error });
    controller.close();
  }
}
