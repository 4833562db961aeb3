import { MOST_TEXT_CHARS } from "./bounds.ts";

const PAGE = /<(?:!doctype html|html|body|pre|\?xml|error)\b/i;
const TAG = /<!\[CDATA\[|\]\]>|<\/?[a-z!][^<>]{0,512}>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: "&",
  lt: "<",
  gt: ">",
  "#39": "'",
  "#34": '"',
  nbsp: " ",
};

/** What a page of HTML says: its text without tags, one piece a line. Undefined: the text is no page. */
export function textOfPage(text: string): string | undefined {
  if (!text.includes("</") || !PAGE.test(text.slice(0, MOST_TEXT_CHARS))) return undefined;
  return text
    .slice(0, MOST_TEXT_CHARS)
    .replace(TAG, "\n")
    .replace(/&(quot|amp|lt|gt|#39|#34|nbsp);/g, (_, name: string) => ENTITIES[name] as string)
    .replace(/\n\s+/g, "\n")
    .trim();
}
