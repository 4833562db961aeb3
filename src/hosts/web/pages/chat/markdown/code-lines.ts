import { type FunctionalComponent, h, type VNodeChild } from "vue";
import type { Piece } from "./highlight.ts";

/** The code itself: lines in colours, or long code as plain chunks. Code that is wider than the column scrolls, with the keyboard too. */
export const CodeLines: FunctionalComponent<{
  readonly label: string;
  readonly lines: readonly (readonly Piece[])[] | undefined;
  readonly chunks: readonly string[];
}> = ({ label, lines, chunks }) =>
  h("pre", { class: "code-lines", tabindex: 0, role: "group", "aria-label": label }, [
    h("code", lines === undefined ? chunks.map((chunk) => h("span", chunk)) : lines.map(line)),
  ]);
CodeLines.props = ["label", "lines", "chunks"];

function line(pieces: readonly Piece[], at: number, all: readonly unknown[]): VNodeChild {
  const content: VNodeChild[] = pieces.map(({ text, style }) =>
    style === undefined ? text : h("span", { class: style }, text),
  );
  return h("span", at < all.length - 1 ? [...content, "\n"] : content);
}
