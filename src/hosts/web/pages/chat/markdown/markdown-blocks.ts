import { Lexer, type Token } from "marked";

/** A block of an answer. A block that has not changed is the same object, so that it is not rendered again. */
export type Block =
  | { readonly key: number; readonly type: "prose"; readonly token: Token }
  | {
      readonly key: number;
      readonly type: "code";
      readonly language: string;
      readonly text: string;
      readonly isOpen: boolean;
    };

/** Longer prose without an end of a block is cut: the cost of one lexing has a limit, whatever the text. */
const LONGEST_PROSE = 12_000;
const FENCE_OPENS = /^(`{3,}|~{3,})[ \t]*([^`\n]*)$/;

/** Quotes and list items inside each other cost the lexer the square of their depth. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m;

interface Fence {
  readonly mark: string;
  readonly language: string;
  readonly start: number;
}

/**
 * The blocks of a Markdown text that grows. Only what can still change is lexed again: the last two blocks of prose, or nothing
 * while a code block is open. Fences at the start of a line are found here; those inside lists and quotes by the lexer.
 */
export class MarkdownBlocks {
  #source = "";
  #done: Block[] = [];
  /** Where the prose that is not done starts. */
  #proseAt = 0;
  /** Where the first line that is not complete starts. */
  #lineAt = 0;
  #fence: Fence | undefined;

  /** All blocks of the text. */
  update(text: string): readonly Block[] {
    const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    if (!source.startsWith(this.#source)) this.#reset();
    this.#source = source;
    this.#readLines();
    // First, since it may finish some.
    const tail = this.#tail();
    return [...this.#done, ...tail];
  }

  #reset(): void {
    this.#done = [];
    this.#proseAt = 0;
    this.#lineAt = 0;
    this.#fence = undefined;
  }

  #readLines(): void {
    for (;;) {
      const end = this.#source.indexOf("\n", this.#lineAt);
      if (end === -1) return;
      this.#readLine(this.#lineAt, end);
      this.#lineAt = end + 1;
    }
  }

  #readLine(start: number, end: number): void {
    const fence = this.#fence;
    if (fence !== undefined) {
      // A long line is no fence; looking at its start is enough.
      if (!closes(this.#source.slice(start, Math.min(end, start + 80)), fence.mark)) return;
      this.#done.push(this.#code(fence, start, false));
      this.#fence = undefined;
      this.#proseAt = end + 1;
      return;
    }
    if (end - start < 200) {
      const opened = FENCE_OPENS.exec(this.#source.slice(start, end));
      if (opened !== null) {
        this.#finishProse(start);
        this.#fence = { mark: opened[1] as string, language: (opened[2] ?? "").trim(), start: end + 1 };
        return;
      }
    }
    if (end - this.#proseAt > LONGEST_PROSE) this.#finishProse(end + 1);
  }

  #code({ language, start }: Fence, end: number, isOpen: boolean): Block {
    // The line end before the closing fence belongs to the fence.
    const text = this.#source.slice(start, isOpen ? end : Math.max(start, end - 1));
    return { key: this.#done.length, type: "code", language, text, isOpen };
  }

  #finishProse(end: number): void {
    for (const token of lex(this.#source.slice(this.#proseAt, end))) this.#finish(token);
    this.#proseAt = end;
  }

  #finish(token: Token): void {
    if (token.type !== "space") this.#done.push({ key: this.#done.length, type: "prose", token });
  }

  #tail(): readonly Block[] {
    if (this.#fence !== undefined) return [this.#code(this.#fence, this.#source.length, true)];
    while (this.#source.length - this.#proseAt > 2 * LONGEST_PROSE) this.#finishProse(this.#proseAt + LONGEST_PROSE);
    const tokens = [...lex(this.#source.slice(this.#proseAt))];
    this.#finishSettled(tokens);
    const first = this.#done.length;
    return tokens
      .filter(({ type }) => type !== "space")
      .map((token, at) => ({ key: first + at, type: "prose", token }));
  }

  /** What comes next can only change the last block, or join the one before to it, as with two lists. Removes from `tokens` what it finishes. */
  #finishSettled(tokens: Token[]): void {
    const whole = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    if (whole !== this.#source.length - this.#proseAt) return;
    const solid = tokens.map(({ type }, at) => (type === "space" ? -1 : at)).filter((at) => at !== -1);
    const keptFrom = solid.at(-2) ?? 0;
    for (const token of tokens.splice(0, keptFrom)) {
      this.#finish(token);
      this.#proseAt += token.raw.length;
    }
  }
}

/** A lexer of its own each time: references are not shared, and nothing of it is kept. Text that it can't read is shown as it is. */
function lex(text: string): readonly Token[] {
  if (TOO_DEEP.test(text)) return [{ type: "text", raw: text, text }];
  try {
    return new Lexer({ gfm: true, breaks: true }).lex(text);
  } catch {
    // Nested too deeply.
    return [{ type: "text", raw: text, text }];
  }
}

function closes(line: string, mark: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found?.startsWith(mark) ?? false;
}
