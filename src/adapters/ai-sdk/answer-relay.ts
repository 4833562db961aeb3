import type {
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import type { FlowingGeneration, FlowReader, Waiter } from "../../kernel/index.ts";
import { StreamCore } from "../../library/direct-stream/index.ts";
import type { PartSource } from "./part-source.ts";
import { withReceipt } from "./with-receipt.ts";

type Part = LanguageModelV3StreamPart;

/** Parts that are neither held nor changed. Compared one by one: a set would be searched for every token. */
function isPlainType(type: Part["type"]): boolean {
  return type === "text-delta" || type === "reasoning-delta" || type === "text-start" || type === "text-end";
}

/** One streamed answer on its way to its reader: gives a part of the generation for each that is asked for. */
export class AnswerRelay extends StreamCore<Part> implements FlowReader<Part> {
  /** Set before anything is asked for. */
  declare generation: FlowingGeneration<Part>;
  /** The answer that is being read, and where its parts come from. */
  result: LanguageModelV3StreamResult | undefined = undefined;
  source: PartSource | undefined = undefined;
  /** The part that the first content was waited for with. */
  first: IteratorYieldResult<Part> | undefined = undefined;
  private readonly wantsEvents: boolean;
  /** Tool calls, what follows them, and the finish: given out once the answer is known to be whole. */
  private held: Part[] | undefined = undefined;
  /** Made once for all parts. */
  readonly take: Waiter<Part> = (result) => {
    if ("then" in result) result.then(undefined, (error) => this.break(error));
    else if (result.done === true) this.finish();
    // Not at once: what is ready comes from inside of `read`, and the stack would grow with every part.
    else if (!this.show(result)) queueMicrotask(this.askAgain);
  };
  private readonly askAgain = (): void => this.generation.read(this.take);

  constructor({ includeRawChunks }: LanguageModelV3CallOptions) {
    super();
    this.wantsEvents = includeRawChunks === true;
  }

  override pull(): void {
    const { first } = this;
    this.first = undefined;
    if (first === undefined || !this.show(first)) this.generation.read(this.take);
  }

  protected override flow(): Promise<IteratorResult<Part, undefined>> | undefined {
    // Where events come between the parts, every other one would have to wait after all.
    if (this.first !== undefined || this.held !== undefined || this.source?.hasEvents !== false) return undefined;
    return this.generation.flow(this);
  }

  protected override takeBack(): void {
    this.source?.takeBack();
  }

  fits(part: Part): boolean {
    return this.isPlain(part) && this.flowed();
  }

  override leave(): Promise<unknown> {
    return this.generation.return();
  }

  /** False: the reader still waits. */
  private show(result: IteratorYieldResult<Part>): boolean {
    const part = result.value;
    if (this.isPlain(part)) {
      this.pass(result);
      return true;
    }
    const shown = part.type === "raw" && !this.wantsEvents ? undefined : this.source?.show(part);
    if (shown === undefined || this.holds(shown)) return false;
    this.give(shown);
    return true;
  }

  /** Nearly all parts are, and go on as they came. */
  private isPlain(part: Part): boolean {
    if (this.held !== undefined || !isPlainType(part.type)) return false;
    return this.source?.leavesOut(part) !== true;
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
      this.give(part.type === "finish" ? withReceipt(part, this.generation.receipt) : part);
    }
    this.close();
  }

  /**
   * An error is a part of the stream, as the AI SDK has it: `onError` and the page hear of it. Thrown, it would end the process
   * of a server that pipes the stream into its response. An abort is thrown: the AI SDK looks for that.
   */
  private break(error: unknown): void {
    if (this.generation.reason === "aborted") return this.fail(error);
    this.give({ type: "error", error });
    this.close();
  }
}
