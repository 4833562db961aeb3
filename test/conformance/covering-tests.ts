import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { REQUIREMENTS } from "./requirements.ts";

const TESTS = resolve(dirname(fileURLToPath(import.meta.url)), "..");

export interface Covered {
  readonly id: string;
  readonly promise: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** What this part of the product has to prove; the rest of the list belongs to hosts that are still to come. */
export const DUE = REQUIREMENTS.map(([id]) => id).filter((id) =>
  /^(?:E\d+b?|T\d+b?|K[1-58]|S\d+b?|C\d+|B1|B2|B4|B5|B7|B8)$/.test(id),
);

/** Each requirement with the titles that carry its id: "E6: …" or "E6, B2: …"; contracts that several files run count as well. */
export function coveringTests(): Covered[] {
  const titles = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.ts$|-contract\.ts$/.test(file))
    .flatMap((file) =>
      titlesOf(readFileSync(join(TESTS, file), "utf8")).map((title) => ({ file: `test/${file}`, title })),
    );
  return REQUIREMENTS.map(([id, promise]) => ({
    id,
    promise,
    tests: titles.filter(({ title }) => idsOf(title).includes(id)),
  }));
}

function titlesOf(source: string): string[] {
  const found = source.matchAll(/\b(?:test|it)(?:\.each\([^)]*\))?\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/gs);
  return [...found].map((match) => match[2] as string);
}

function idsOf(title: string): string[] {
  const head = /^((?:[ETSKCB]\d+b?)(?:, [ETSKCB]\d+b?)*):/.exec(title);
  return head?.[1]?.split(", ") ?? [];
}
