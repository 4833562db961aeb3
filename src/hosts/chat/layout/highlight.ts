import { type ParseOptions, SugarHigh, type TokenType, tokenize } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";
import { type Span, type Style, span } from "./line.ts";

/** A language of code blocks, with what of it goes on over line ends. */
export interface Language {
  readonly options: ParseOptions;
  readonly blocks: readonly Block[];
}

/** A comment or text of several lines. */
interface Block {
  readonly open: string;
  readonly close: string;
  readonly style: Style;
}

const COMMENT: Block = { open: "/*", close: "*/", style: "comment" };
const TEMPLATE: Block = { open: "`", close: "`", style: "string" };
const BLOCKS: Readonly<Record<string, readonly Block[]>> = {
  ...Object.fromEntries(
    ["css", "c", "cpp", "csharp", "java", "kotlin", "php", "rust", "sql", "swift"].map((name) => [name, [COMMENT]]),
  ),
  javascript: [COMMENT, TEMPLATE],
  typescript: [COMMENT, TEMPLATE],
  go: [COMMENT, TEMPLATE],
  python: ['"""', "'''"].map((quotes) => ({ open: quotes, close: quotes, style: "string" })),
  html: [{ open: "<!--", close: "-->", style: "comment" }],
};

const STYLES: Readonly<Partial<Record<TokenType, Style>>> = {
  keyword: "keyword",
  string: "string",
  comment: "comment",
  class: "type",
  property: "name",
  entity: "name",
};

/** Longer lines are data, not code. */
const LONGEST_LINE = 2000;

/** The language that a fence names. Undefined: unknown, or plain text. */
export function languageOf(name: string): Language | undefined {
  const id = lang(name.toLowerCase());
  const options = languages.find((one) => one.id === id)?.config;
  if (id === undefined || id === "plaintext" || options === undefined) return undefined;
  return { options, blocks: BLOCKS[id] ?? [] };
}

/** A line of code in colours, and the block that is still open at its end. Line by line, because code is shown while it streams. */
export function highlightLine(
  line: string,
  { options, blocks }: Language,
  open: Block | undefined,
): { readonly spans: readonly Span[]; readonly open: Block | undefined } {
  if (line.length > LONGEST_LINE) return { spans: [span(line, "code")], open: undefined };
  const end = open === undefined ? 0 : line.indexOf(open.close);
  if (open !== undefined && end === -1) return { spans: [span(line, open.style)], open };
  const start = open === undefined ? 0 : end + open.close.length;
  const head = open === undefined ? [] : [span(line.slice(0, start), open.style)];
  const rest = line.slice(start);
  const tokens = tokenize(rest, options).map(
    ([type, text]) => [SugarHigh.TokenTypes[type] as TokenType, text] as const,
  );
  // The tokenizer loses a character of some invalid code, such as `<a /*//</a>`.
  if (tokens.map(([, text]) => text).join("") !== rest) {
    return { spans: joined([...head, span(rest, "code")]), open: undefined };
  }
  return {
    spans: joined([...head, ...tokens.map(([type, text]) => span(text, STYLES[type]))]),
    open: blocks.find((block) => isOpenAfter(block, tokens)),
  };
}

/** Neighbours with the same style in one: the fewer pieces, the faster the frame. */
function joined(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const { text, style } of spans) {
    const last = merged.at(-1);
    if (last !== undefined && last.style === style) merged[merged.length - 1] = span(last.text + text, style);
    else merged.push(span(text, style));
  }
  return merged;
}

function isOpenAfter({ open, close, style }: Block, tokens: readonly (readonly [TokenType, string])[]): boolean {
  if (style === "comment") {
    const last = tokens.findLast(([type]) => type === "comment")?.[1] ?? "";
    return last.startsWith(open) && !last.slice(open.length).endsWith(close);
  }
  const code = tokens.map(([type, text]) => (type === "comment" ? "" : text)).join("");
  return code.split(open).length % 2 === 0;
}
