import type { Interface } from "node:readline";
import { cleanText, textWidth } from "../../terminal/index.ts";
import type { PromptEcho } from "./prompt-echo.ts";

const PROMPT = "> ";
/** Before the second line of a pasted message, and those after it. */
const CONTINUED = "… ";

/**
 * The message being typed. Pasted lines stay on the screen one below the other, and only the last one is in readline, which edits
 * one line. Enter sends them all.
 */
export class Draft {
  readonly #lines: Interface;
  readonly #echo: PromptEcho;
  #above: string[] = [];
  #isPasting = false;

  constructor(lines: Interface, echo: PromptEcho) {
    this.#lines = lines;
    this.#echo = echo;
    lines.setPrompt(PROMPT);
    // One by one they are no messages: Up would offer each.
    lines.on("history", (history: string[]) => {
      if (this.#isPasting || this.#above.length > 0) history.shift();
    });
  }

  get isEmpty(): boolean {
    return this.#above.length === 0 && this.#lines.line === "";
  }

  /** Inserts it at the cursor. */
  paste(text: string): void {
    const after = this.#lines.line.slice(this.#lines.cursor);
    if (after !== "") this.#lines.write(null, { ctrl: true, name: "k" });
    const [first = "", ...others] = text.split("\n");
    this.#isPasting = true;
    this.#lines.write(first);
    for (const line of others) {
      this.#lines.write(null, { name: "return" });
      this.#lines.write(line);
    }
    this.#isPasting = false;
    if (after === "") return;
    this.#lines.write(after);
    for (const _ of after) this.#lines.write(null, { name: "left" });
  }

  /** readline has ended a line. Returns the whole message if it was Enter. */
  endLine(line: string): string | undefined {
    if (this.#isPasting) {
      this.#above.push(line);
      this.#lines.setPrompt(CONTINUED);
      if (this.#echo.isOn) this.#lines.prompt();
      return undefined;
    }
    const whole = [...this.#above, line].join("\n");
    this.#reset();
    return whole;
  }

  /** Backspace at the start of a line: the line before comes back into readline. */
  goBack(): boolean {
    const before = this.#lines.cursor === 0 ? this.#above.pop() : undefined;
    if (before === undefined) return false;
    const prompt = this.#above.length === 0 ? PROMPT : CONTINUED;
    this.#echo.goUp(textWidth(prompt + before));
    this.#lines.setPrompt(prompt);
    this.#lines.prompt(true);
    this.#lines.write(before);
    return true;
  }

  clear(): void {
    const isBelow = this.#above.length > 0;
    const wasOn = this.#echo.isOn;
    // Lines above the last one stay on the screen: the prompt moves below them.
    this.#echo.isOn = wasOn && !isBelow;
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
    this.#echo.isOn = wasOn;
    this.#reset();
    if (!isBelow || !wasOn) return;
    this.#echo.pass("\n");
    this.#lines.prompt();
  }

  /** Clears the line of the prompt. One that wraps stays: readline would go up over what is printed next. */
  hide(): void {
    this.#echo.pass(this.#lines.getCursorPos().rows === 0 ? "\r\u001b[J" : "\n");
  }

  /** At a prompt that comes back: with all that was typed meanwhile. */
  show(): void {
    if (!this.#echo.isOn) return;
    this.#print(this.#above);
    this.#lines.prompt(true);
  }

  /** A message that was typed ahead, where it is sent. */
  print(message: string): void {
    this.#print(message.split("\n"));
  }

  #print(lines: readonly string[]): void {
    this.#echo.pass(lines.map((line, place) => `${place === 0 ? PROMPT : CONTINUED}${cleanText(line)}\n`).join(""));
  }

  #reset(): void {
    this.#above = [];
    this.#lines.setPrompt(PROMPT);
  }
}
