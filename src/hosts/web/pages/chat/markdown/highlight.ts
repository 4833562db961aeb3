import { SugarHigh, type TokenType, tokenize } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";

/** A piece of a line. */
export interface Piece {
  readonly text: string;
  /** Undefined: plain. */
  readonly style?: "keyword" | "string" | "comment" | "name";
}

const STYLES: Readonly<Partial<Record<TokenType, NonNullable<Piece["style"]>>>> = {
  keyword: "keyword",
  string: "string",
  comment: "comment",
  class: "name",
  property: "name",
  entity: "name",
};

/** Code in colours, line by line. Undefined: a language that is not known. Its own chunk: loaded with the first code block. */
export function highlightCode(code: string, language: string): readonly (readonly Piece[])[] | undefined {
  const id = lang(language.toLowerCase());
  const options = languages.find((one) => one.id === id)?.config;
  if (id === undefined || id === "plaintext" || options === undefined) return undefined;
  const tokens = tokenize(code, options);
  // The tokenizer loses a character of some invalid code.
  if (tokens.reduce((sum, [, text]) => sum + text.length, 0) !== code.length) return undefined;
  const lines: Piece[][] = [[]];
  for (const [type, text] of tokens) {
    const style = STYLES[SugarHigh.TokenTypes[type] as TokenType];
    for (const [at, part] of text.split("\n").entries()) {
      if (at > 0) lines.push([]);
      if (part !== "") append(lines.at(-1) as Piece[], part, style);
    }
  }
  return lines;
}

/** Neighbours of one style are one piece: fewer elements. */
function append(line: Piece[], text: string, style: Piece["style"]): void {
  const last = line.at(-1);
  if (last !== undefined && last.style === style) line[line.length - 1] = { ...last, text: last.text + text };
  else line.push(style === undefined ? { text } : { text, style });
}
