import type { Token, Tokens } from "marked";
import { h, type VNodeChild } from "vue";
import { CHAT_TEXTS } from "../../../texts/chat.ts";
import { language } from "../../../texts/language.ts";
import CodeBlock from "./code-block.vue";
import { decodeEntities } from "./decode-entities.ts";
import { safeLink } from "./safe-link.ts";

/** Deeper nesting is shown as its source. */
const DEEPEST = 40;

/** Tokens of the lexer as VNodes: elements from this list and text nodes, never HTML. */
export function renderTokens(tokens: readonly Token[] | undefined, depth = 0): VNodeChild[] {
  if (depth > DEEPEST) return (tokens ?? []).map(({ raw }) => raw);
  return (tokens ?? []).map((token) => renderToken(token as MarkedToken, depth + 1));
}

type MarkedToken =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.ListItem
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Tag
  | Tokens.Text;

function renderToken(token: MarkedToken, depth: number): VNodeChild {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return h("p", renderTokens(token.tokens, depth));
    case "heading":
      // The page's own title is the h1.
      return h(`h${Math.min(6, token.depth + 1)}`, { class: `h${token.depth}` }, renderTokens(token.tokens, depth));
    case "blockquote":
      return h("blockquote", renderTokens(token.tokens, depth));
    case "hr":
      return h("hr");
    case "code":
      return h(CodeBlock, { language: token.lang ?? "", text: token.text, isOpen: false });
    case "list": {
      const items = token.items.map((item) => renderToken(item, depth));
      if (!token.ordered) return h("ul", items);
      return h("ol", { start: typeof token.start === "number" && token.start !== 1 ? token.start : undefined }, items);
    }
    case "list_item":
      return h("li", { class: { task: token.task } }, renderTokens(token.tokens, depth));
    case "checkbox":
      return h("input", {
        type: "checkbox",
        checked: token.checked,
        disabled: true,
        "aria-label": CHAT_TEXTS[language.value].task[token.checked ? "done" : "open"],
      });
    case "table":
      return renderTable(token, depth);
    case "html":
      // As it was written. A block of it has its own line.
      return "block" in token && token.block ? h("p", { class: "as-written" }, token.text.trimEnd()) : token.raw;
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : renderTokens(token.tokens, depth);
    case "escape":
      return token.text;
    case "strong":
    case "em":
    case "del":
      return h(token.type, renderTokens(token.tokens, depth));
    case "codespan":
      return h("code", token.text);
    case "br":
      return h("br");
    case "link":
      return renderLink(token.href, renderTokens(token.tokens, depth), token.raw);
    case "image":
      // Loading it would call another host, with what the model wrote in the address.
      return renderLink(token.href, [decodeEntities(token.text) || token.href], token.raw);
    default:
      return (token as Token).raw;
  }
}

function renderLink(href: string, content: VNodeChild[], raw: string): VNodeChild {
  const address = safeLink(href);
  if (address === undefined) return raw;
  return h("a", { href: address, title: address, target: "_blank", rel: "noopener noreferrer" }, content);
}

function renderTable({ header, rows, align }: Tokens.Table, depth: number): VNodeChild {
  const cell = (tag: "th" | "td", { tokens }: Tokens.TableCell, at: number): VNodeChild =>
    h(tag, { class: align[at] ?? undefined, scope: tag === "th" ? "col" : undefined }, renderTokens(tokens, depth));
  return h("div", { class: "table", tabindex: 0, role: "group" }, [
    h("table", [
      h("thead", [
        h(
          "tr",
          header.map((one, at) => cell("th", one, at)),
        ),
      ]),
      h(
        "tbody",
        rows.map((row) =>
          h(
            "tr",
            row.map((one, at) => cell("td", one, at)),
          ),
        ),
      ),
    ]),
  ]);
}
