import type { GenerationEvent, TargetEntry } from "../../../kernel/index.ts";
import { type BadLine, type BatchLine, isBad } from "../input/batch-line.ts";
import { estimateTokens } from "../input/estimate-tokens.ts";
import { badLine, type ResultLine } from "../output/result-line.ts";
import { type AskedLine, type AskSetup, askLine, type SaidFailure } from "./ask-line.ts";
import { FOR_ALL } from "./for-all.ts";
import { freest } from "./freest.ts";
import type { TokenBudget } from "./token-budget.ts";
import { Waker } from "./waker.ts";

/** The model that a line asks, or why it can't. `isOwn`: the line names it itself. */
export type Chosen = { readonly target: TargetEntry; readonly isOwn: boolean } | { readonly error: string };

export interface RunSetup extends AskSetup {
  /** Asks a line elsewhere. Default: in this process. */
  readonly ask?: (line: BatchLine, target: TargetEntry, signal: AbortSignal) => Promise<AskedLine | undefined>;
  /** Lines that are to be done, in order. */
  readonly lines: AsyncIterable<BatchLine | BadLine>;
  readonly targetOf: (line: BatchLine) => Chosen;
  /** Resolves when the result is in the file. */
  readonly write: (result: ResultLine) => Promise<void>;
  /** Lines at the same time, those that wait between attempts included. */
  readonly mostOpen: number;
  readonly tokens: TokenBudget;
  /** No more lines are started, and no more attempts of those that are. */
  readonly stopSignal: AbortSignal;
  /** Attempts under way are ended too. */
  readonly endSignal: AbortSignal;
  /** `result` undefined: the line was not finished, and is left for the next run. */
  readonly onEnd: (line: BatchLine | BadLine, result: ResultLine | undefined) => void;
}

/** Why lines were left. */
export type Stop =
  | { readonly type: "refused"; readonly failure: SaidFailure }
  | { readonly type: "tokens" }
  | { readonly type: "fault"; readonly fault: unknown };

/** Texts of lines that are held in memory at the same time, in characters; one line may be longer. */
const MOST_HELD_CHARS = 64 * 1024 * 1024;
const LEAST_WAIT_MS = 5;
const MOST_WAIT_MS = 1000;

/** Asks the lines, as many at a time as the pace allows. Resolves when all are done or none is to be started any more. */
export function runLines(setup: RunSetup): Promise<Stop | undefined> {
  return new LineRunner(setup).run();
}

/** A line that has been started. */
interface OpenLine {
  readonly line: BatchLine;
  readonly isOwn: boolean;
  readonly chars: number;
  readonly tokens: number;
  readonly abort: AbortController;
  /** Between two attempts. */
  isWaiting: boolean;
}

class LineRunner {
  readonly #setup: RunSetup;
  readonly #waker = new Waker();
  readonly #open = new Set<OpenLine>();
  #chars = 0;
  #stop: Stop | undefined;

  constructor(setup: RunSetup) {
    this.#setup = setup;
  }

  async run(): Promise<Stop | undefined> {
    const { lines, stopSignal, endSignal } = this.#setup;
    // Lines that are asked elsewhere go on there.
    const stop = (): void => this.#halt((line) => line.isWaiting || this.#setup.ask !== undefined);
    const end = (): void => this.#halt(() => true);
    stopSignal.addEventListener("abort", stop);
    endSignal.addEventListener("abort", end);
    try {
      for await (const line of lines) {
        if (this.#isStopped || !(await this.#take(line))) break;
      }
    } catch (fault) {
      this.#stopFor({ type: "fault", fault });
    }
    while (this.#open.size > 0) await this.#waker.sleep(MOST_WAIT_MS);
    stopSignal.removeEventListener("abort", stop);
    endSignal.removeEventListener("abort", end);
    return this.#stop;
  }

  get #isStopped(): boolean {
    return this.#stop !== undefined || this.#setup.stopSignal.aborted || this.#setup.endSignal.aborted;
  }

  /** False: no more lines. */
  async #take(line: BatchLine | BadLine): Promise<boolean> {
    if (isBad(line)) {
      await this.#write(line, badLine(line));
      return true;
    }
    const chosen = this.#setup.targetOf(line);
    if ("error" in chosen) {
      await this.#write(line, badLine({ ...line, error: `line ${line.number}: ${chosen.error}` }));
      return true;
    }
    const target = await this.#placeFor(line, chosen.target);
    if (target === undefined) return false;
    this.#start(line, target, chosen.isOwn);
    return true;
  }

  /** Waits until the line may start. Undefined: it may not any more. */
  async #placeFor(line: BatchLine, target: TargetEntry): Promise<TargetEntry | undefined> {
    const { tokens, mostOpen, ask } = this.#setup;
    const chars = lengthOf(line);
    while (!this.#isStopped) {
      const isFull = this.#open.size >= mostOpen || (this.#open.size > 0 && this.#chars + chars > MOST_HELD_CHARS);
      const hasTokens = tokens.hasRoom(this.#estimate(line));
      if (!hasTokens && !tokens.isWaiting) {
        this.#stop = { type: "tokens" };
        return undefined;
      }
      // Workers have a health of their own.
      const { target: first, waitMs } = ask === undefined ? freest(this.#setup, target) : { target, waitMs: 0 };
      if (waitMs === 0 && !isFull && hasTokens) return first;
      const askAgainMs = isFull || !hasTokens ? MOST_WAIT_MS : Math.max(LEAST_WAIT_MS, waitMs);
      await this.#waker.sleep(Math.min(MOST_WAIT_MS, askAgainMs));
    }
    return undefined;
  }

  #start(line: BatchLine, target: TargetEntry, isOwn: boolean): void {
    const { tokens } = this.#setup;
    const common = { line, isOwn, chars: lengthOf(line), tokens: this.#estimate(line) };
    const open: OpenLine = { ...common, abort: new AbortController(), isWaiting: false };
    this.#open.add(open);
    this.#chars += open.chars;
    tokens.start(open.tokens);
    const on = (event: GenerationEvent): void => this.#hear(open, event);
    const { signal } = open.abort;
    const asked = this.#setup.ask?.(line, target, signal) ?? askLine({ ...this.#setup, on }, line, target, signal);
    void asked
      .then(
        (asked) => this.#finish(open, asked),
        (fault) => {
          this.#stopFor({ type: "fault", fault });
          this.#setup.onEnd(line, undefined);
        },
      )
      .finally(() => {
        this.#open.delete(open);
        this.#chars -= open.chars;
        this.#waker.wake();
      });
  }

  #hear(open: OpenLine, event: GenerationEvent): void {
    this.#setup.on(event);
    if (event.type === "wait-start") open.isWaiting = true;
    if (event.type === "wait-end") open.isWaiting = false;
    if (event.type === "wait-start" && this.#setup.stopSignal.aborted) open.abort.abort();
    // There may be a place for another line.
    if (event.type === "attempt-end") this.#waker.wake();
  }

  async #finish({ line, isOwn, tokens }: OpenLine, asked: AskedLine | undefined): Promise<void> {
    const usage = asked?.result.usage;
    const used = usage && { total: usage.inputTokens + usage.outputTokens, output: usage.outputTokens };
    this.#setup.tokens.end(tokens, used);
    if (asked === undefined) return this.#setup.onEnd(line, undefined);
    const { failure, result } = asked;
    if (failure === undefined || !FOR_ALL.has(failure.kind) || isOwn) return this.#write(line, result);
    // It is asked again when this is cured: no result is written.
    this.#stopFor({ type: "refused", failure });
    this.#setup.onEnd(line, undefined);
  }

  async #write(line: BatchLine | BadLine, result: ResultLine): Promise<void> {
    try {
      await this.#setup.write(result);
      this.#setup.onEnd(line, result);
    } catch (fault) {
      this.#stopFor({ type: "fault", fault });
      this.#setup.onEnd(line, undefined);
    }
  }

  /** All others would fail in the same way, or could not be written. */
  #stopFor(stop: Stop): void {
    this.#stop ??= stop;
    this.#halt(() => true);
  }

  #halt(isEnded: (line: OpenLine) => boolean): void {
    for (const open of this.#open) if (isEnded(open)) open.abort.abort();
    this.#waker.wake();
  }

  #estimate({ request }: BatchLine): number {
    return this.#setup.tokens.estimate(estimateTokens(request), request.maxTokens);
  }
}

function lengthOf({ request }: BatchLine): number {
  let chars = request.system?.length ?? 0;
  for (const message of request.messages) if (message.role === "user") chars += message.content.length;
  return chars;
}
