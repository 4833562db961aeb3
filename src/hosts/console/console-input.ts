import { createInterface, type Interface } from "node:readline";
import { Draft } from "./draft.ts";
import { PromptEcho } from "./prompt-echo.ts";
import { TerminalKeys } from "./terminal-keys.ts";

/** What a person, or a pipe, has said. A line that was pasted may have several lines. */
export type Said =
  | { readonly type: "line"; readonly text: string }
  /** Ctrl-C: these lines were typed ahead and are not sent. */
  | { readonly type: "dropped"; readonly lines: number }
  | { readonly type: "interrupt" | "end" };

/** Hears what is said while an answer is awaited. */
export interface Ear {
  /** True: it was meant for the exchange. False: it waits for the next prompt. */
  line(text: string): boolean;
  interrupt(): void;
}

/** Where prompts come from. Tests bring their own. */
export interface ConsoleInput {
  /** A person sits there: there are prompts, and keys mean something while an answer is awaited. */
  readonly isInteractive: boolean;
  /** The next input. In a terminal it shows the prompt. */
  next(): Promise<Said>;
  /** Until it is called with nothing, what is said goes to this ear first. */
  listen(ear: Ear | undefined): void;
  /** Prints above the prompt if it shows. Default: prints. */
  besidePrompt?(print: () => void): void;
  close(): void;
}

/** A pipe is read ahead no further than this. */
const MOST_QUEUED = 64;
/** A second Ctrl-C within this time quits, whatever the first one did. */
const TWICE_WITHIN_MS = 1000;

/** Lines from stdin: with readline's editing and history in a terminal, as they are from a pipe. */
export class ReadlineInput implements ConsoleInput {
  readonly isInteractive: boolean;
  readonly #lines: Interface;
  readonly #echo: PromptEcho;
  readonly #draft: Draft;
  readonly #keys: TerminalKeys | undefined;
  readonly #queue: Said[] = [];
  #ear: Ear | undefined;
  #interruptedAtMs = Number.NEGATIVE_INFINITY;
  /** Then readline must not be paused or resumed: Node 24 throws. */
  #hasEnded = false;
  #wanted: ((said: Said) => void) | undefined;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.isInteractive = input.isTTY === true && output.isTTY === true;
    this.#echo = new PromptEcho(output);
    if (this.isInteractive) {
      this.#keys = new TerminalKeys(input, output, {
        paste: (text) => this.#draft.paste(text),
        backspace: () => this.#draft.goBack(),
        resumed: () => this.#draft.show(),
      });
      this.#lines = createInterface({ input: this.#keys, output: this.#echo, terminal: true });
    } else this.#lines = createInterface({ input, terminal: false });
    this.#draft = new Draft(this.#lines, this.#echo);
    this.#lines.on("line", (text) => {
      const whole = this.#draft.endLine(text);
      if (whole !== undefined && this.#ear?.line(whole) !== true) this.#tell({ type: "line", text: whole });
    });
    // In a terminal readline has the raw keys: Ctrl-C comes as an event. Anywhere else it comes as a signal.
    this.#lines.on("SIGINT", () => this.interrupt());
    this.#lines.on("SIGTSTP", () => this.#keys?.suspend());
    this.#lines.on("close", () => {
      this.#hasEnded = true;
      this.#tell({ type: "end" });
    });
  }

  next(): Promise<Said> {
    const said = this.#queue.shift();
    if (this.#queue.length === 0 && !this.isInteractive && !this.#hasEnded) this.#lines.resume();
    if (said !== undefined) return Promise.resolve(this.#shown(said));
    if (this.isInteractive) {
      this.#echo.isOn = true;
      // With the cursor behind what was typed ahead.
      this.#draft.show();
    }
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  listen(ear: Ear | undefined): void {
    this.#ear = ear;
  }

  besidePrompt(print: () => void): void {
    if (!this.#echo.isOn) return print();
    this.#draft.hide();
    print();
    this.#draft.show();
  }

  /**
   * Ctrl-C: cancels the exchange and drops what was typed ahead. Without either it clears the input, or quits if that is empty.
   * A second one always quits.
   */
  interrupt(): void {
    const nowMs = performance.now();
    const isSecond = nowMs - this.#interruptedAtMs < TWICE_WITHIN_MS;
    this.#interruptedAtMs = nowMs;
    const hasDropped = this.#dropQueue();
    this.#ear?.interrupt();
    if (isSecond) return this.#tell({ type: "interrupt" });
    if (this.#ear !== undefined || hasDropped) return;
    if (this.#draft.isEmpty || !this.isInteractive) return this.#tell({ type: "interrupt" });
    this.#draft.clear();
  }

  close(): void {
    this.#lines.close();
    this.#keys?.release();
    this.#echo.destroy();
  }

  /** Whether there was anything that a person had typed ahead. */
  #dropQueue(): boolean {
    const ahead = this.#queue.filter((said) => said.type === "line");
    const others = this.#queue.filter((said) => said.type !== "line");
    const lines = ahead.reduce((count, { text }) => count + text.split("\n").length, 0);
    const isNews = lines > 0 && this.isInteractive;
    this.#queue.splice(0, this.#queue.length, ...(isNews ? [{ type: "dropped", lines } as const] : []), ...others);
    return isNews;
  }

  #tell(said: Said): void {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) {
      this.#echo.isOn = false;
      // The next output begins on a new line. After a line readline has seen to that.
      if (said.type !== "line" && this.isInteractive) this.#echo.pass("\n");
      return wanted(said);
    }
    this.#queue.push(said);
    if (this.#queue.length >= MOST_QUEUED && !this.isInteractive && !this.#hasEnded) this.#lines.pause();
  }

  /** What was typed ahead was not echoed: it appears where it is asked. */
  #shown(said: Said): Said {
    if (said.type === "line" && this.isInteractive) this.#draft.print(said.text);
    return said;
  }
}
