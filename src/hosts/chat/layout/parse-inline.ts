import { type Span, type Style, span } from "./line.ts";

/**
 * Each repetition is bounded, so that a hostile line takes linear time. A backslash escapes the next character, except in code.
 */
const MARKS =
  /\\([!-/:-@[-`{-~])|`([^`]{1,500})`|\*\*(?=\S)((?:\\.|[^*\\]){1,500})\*\*|__(?=\S)((?:\\.|[^_\\]){1,500})__|(?<![\w*])\*(?=[^\s*])((?:\\.|[^*\\]){1,500})\*(?![\w*])|(?<!\w)_(?=[^\s_])((?:\\.|[^_\\]){1,500})_(?!\w)|\[((?:\\.|[^[\]\\]){1,300})\]\(([^()\s]{1,500})\)/g;

/** Parses code, bold, italic and links in a line of Markdown. */
export function parseInline(text: string): readonly Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const found of text.matchAll(MARKS)) {
    if (found.index > done) spans.push(span(text.slice(done, found.index)));
    spans.push(...spansOf(found));
    done = found.index + found[0].length;
  }
  if (done < text.length) spans.push(span(text.slice(done)));
  return spans;
}

function spansOf(found: RegExpMatchArray): readonly Span[] {
  const [, sign, code, bold, alsoBold, italic, alsoItalic, label, url] = found;
  if (sign !== undefined) return [span(sign)];
  if (code !== undefined) return [span(code, "code")];
  if (label !== undefined) return label === url ? [span(label)] : [...parseInline(label), span(` (${url})`, "dim")];
  const strong = bold ?? alsoBold;
  if (strong !== undefined) return styled(strong, "bold");
  return styled(italic ?? alsoItalic ?? "", "italic");
}

/** Code inside bold text stays code. */
function styled(text: string, style: Style): readonly Span[] {
  return parseInline(text).map((inner) => (inner.style === undefined ? span(inner.text, style) : inner));
}
