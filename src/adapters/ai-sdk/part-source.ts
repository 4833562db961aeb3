import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { Ports, Reading, SettlingSource, Watched } from "../../kernel/index.ts";
import { endsWithTools, judgeAnswer } from "./judge-answer.ts";
import { WireEvents } from "./wire-events.ts";

type Part = LanguageModelV3StreamPart;
type Finish = Extract<Part, { type: "finish" }>;

const NONE: readonly string[] = [];
const OVER = Promise.resolve({ done: true, value: undefined } as const);
/** The end of the body is due right after the finish. A server that holds on to it is left. */
const MOST_GOODBYE_MS = 1000;

/** As it was when this was loaded. */
const PlatformReader = ReadableStreamDefaultReader;

/** The parts of one attempt, judged as they come. Over at the finish, whatever the provider sends after it. */
export class PartSource implements AsyncIterableIterator<Part, undefined>, SettlingSource<Part>, Watched {
  dueAt = 0;
  place = -1;
  readonly settlesWhenLeft: boolean;
  private readonly stream: ReadableStream<Part>;
  private reader: ReadableStreamDefaultReader<Part>;
  private readonly ports: Ports;
  private readonly prompt: LanguageModelV3Prompt;
  private hasContent = false;
  private isOver = false;
  private toolInputs: readonly string[] = NONE;
  /** Made when the first event comes: not every provider shows them. */
  private events: WireEvents | undefined = undefined;
  /** Parts that no reader should see. */
  private leftOut: Set<Part> | undefined = undefined;

  /** `prompt`: what it is an answer to. */
  constructor(stream: ReadableStream<Part>, ports: Ports, prompt: LanguageModelV3Prompt) {
    this.stream = stream;
    this.reader = stream.getReader();
    // Nothing is known about readers of other implementations.
    // Not by `instanceof`: that costs more than all the rest of this.
    this.settlesWhenLeft = this.reader.constructor === PlatformReader;
    this.ports = ports;
    this.prompt = prompt;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Part, undefined>> {
    if (this.isOver) return OVER;
    return this.reader.read() as Promise<IteratorResult<Part, undefined>>;
  }

  /** An open read rejects, and the next one gets what it has asked for. */
  takeBack(): void {
    try {
      this.reader.releaseLock();
    } catch {
      // An older browser, in which a reader with an open read can't leave: that read goes on.
      return;
    }
    this.reader = this.stream.getReader();
  }

  /** Leaves the stream: the connection closes. */
  return(): typeof OVER {
    this.isOver = true;
    this.reader.cancel().catch(() => undefined);
    return OVER;
  }

  /** What a part means to the engine. */
  inspect(part: Part): Reading {
    if (!this.isLeftOut(part)) return this.read(part);
    this.leftOut ??= new Set();
    this.leftOut.add(part);
    return "noise";
  }

  private isLeftOut(part: Part): boolean {
    if (this.events === undefined && part.type !== "error") return false;
    this.events ??= new WireEvents();
    return this.events.leavesOut(part);
  }

  /** Whether the provider shows its events. */
  get hasEvents(): boolean {
    return this.events !== undefined;
  }

  leavesOut(part: Part): boolean {
    return this.leftOut?.has(part) === true;
  }

  /** The part as the reader gets it; undefined: it is left out. */
  show(part: Part): Part | undefined {
    if (this.leavesOut(part)) return undefined;
    if (part.type !== "finish") return part;
    const finishReason = this.reasonOf(part);
    return finishReason === part.finishReason ? part : { ...part, finishReason };
  }

  private read(part: Part): Reading {
    switch (part.type) {
      case "text-delta":
        return this.say(part.delta);
      case "reasoning-delta":
        return this.say(part.delta);
      case "reasoning-start":
      case "reasoning-end":
        // Reasoning that is sealed has no text, only its signature: an answer, but nothing that a reader would miss.
        if (part.providerMetadata === undefined) return "noise";
        this.hasContent = true;
        return part.type === "reasoning-end" ? "life" : "noise";
      case "tool-input-start":
        return "content";
      case "tool-input-delta":
        return part.delta === "" ? "noise" : "content";
      case "tool-input-end":
        return "life";
      case "tool-call":
        this.hasContent = true;
        this.toolInputs = [...this.toolInputs, part.input];
        // Used only once the stream has ended properly, so alone it commits to nothing.
        return part.providerExecuted === true ? "content" : "life";
      case "tool-result":
      case "tool-approval-request":
      case "file":
      case "source":
        this.hasContent = true;
        return "content";
      case "finish":
        return this.finish(part);
      case "error":
        return { problem: part.error };
      case "text-start":
      case "text-end":
      case "stream-start":
      case "response-metadata":
        return "noise";
      case "raw":
        this.events ??= new WireEvents();
        this.events.read(part.rawValue);
        return "noise";
      default:
        part satisfies never;
        return "noise";
    }
  }

  /** The provider keeps the connection open after the finish. */
  expire(): void {
    this.reader.cancel().catch(() => undefined);
  }

  private say(delta: string): Reading {
    if (delta === "") return "noise";
    this.hasContent = true;
    return "content";
  }

  private reasonOf({ finishReason }: Finish): Finish["finishReason"] {
    return this.events?.finishReason(finishReason, this.toolInputs.length > 0) ?? finishReason;
  }

  private finish(part: Finish): Reading {
    const { hasContent, toolInputs, events } = this;
    if (events?.unreadable !== undefined && !hasContent) return events.unreadable;
    const finishReason = this.reasonOf(part);
    const isAfterTools = endsWithTools(this.prompt);
    const fault = judgeAnswer({ finishReason, hasContent, toolInputs, isAfterTools });
    if (fault !== undefined) return { problem: fault };
    this.isOver = true;
    this.letEnd();
    // Counts as content too: an answer that was cut off by a limit or a filter before its first word is an answer.
    return "content-end";
  }

  /** Read to its end, the connection can serve the next request. */
  private letEnd(): void {
    this.ports.watch(this, MOST_GOODBYE_MS);
    this.reader.read().then(
      ({ done }) => this.leave(done),
      () => this.leave(true),
    );
  }

  private leave(isAtEnd: boolean): void {
    this.ports.unwatch(this);
    if (!isAtEnd) this.expire();
  }
}
