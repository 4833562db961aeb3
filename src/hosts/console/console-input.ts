import { createInterface, type Interface } from "node:readline";
import { cleanText } from "../../terminal/index.ts";
import { PromptEcho } from "./prompt-echo.ts";

/** What a person, or a pipe, has said. */
export type Said = { readonly type: "line"; readonly text: string } | { readonly type: "interrupt" | "end" };

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
  close(): void;
}

const PROMPT = "> ";
/** A pipe is read ahead no further than this. */
const MOST_QUEUED = 64;

/** Lines from stdin: with readline's editing and history in a terminal, as they are from a pipe. */
export class ReadlineInput implements ConsoleInput {
  readonly isInteractive: boolean;
  readonly #lines: Interface;
  readonly #echo: PromptEcho;
  readonly #queue: Said[] = [];
  #ear: Ear | undefined;
  #isInterrupted = false;
  /** Then readline must not be paused or resumed: Node 24 throws. */
  #hasEnded = false;
  #wanted: ((said: Said) => void) | undefined;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.isInteractive = input.isTTY === true && output.isTTY === true;
    const terminal = this.isInteractive;
    this.#echo = new PromptEcho(output);
    this.#lines = createInterface({ input, terminal, prompt: PROMPT, ...(terminal && { output: this.#echo }) });
    this.#lines.on("line", (text) => {
      if (this.#ear?.line(text) !== true) this.#tell({ type: "line", text });
    });
    // In a terminal readline has the raw keys: Ctrl-C comes as an event. Anywhere else it comes as a signal.
    this.#lines.on("SIGINT", () => this.interrupt());
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
      this.#lines.prompt(true);
    }
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  listen(ear: Ear | undefined): void {
    this.#ear = ear;
    this.#isInterrupted = false;
  }

  /** Ctrl-C: for the exchange if there is one; else it takes back what is being typed, and leaves if nothing is. */
  interrupt(): void {
    if (this.#ear !== undefined) {
      // The exchange is over but for its last words: the second Ctrl-C is for the prompt, before anything that was typed ahead.
      if (this.#isInterrupted) this.#queue.splice(0, this.#queue.length, { type: "interrupt" });
      else this.#ear.interrupt();
      this.#isInterrupted = true;
      return;
    }
    if (this.#lines.line === "" || !this.isInteractive) return this.#tell({ type: "interrupt" });
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
  }

  close(): void {
    this.#lines.close();
    this.#echo.destroy();
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
    if (said.type === "line" && this.isInteractive) this.#echo.pass(`${PROMPT}${cleanText(said.text)}\n`);
    return said;
  }
}
