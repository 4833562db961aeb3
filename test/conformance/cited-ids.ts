import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const SRC = resolve(dirname(fileURLToPath(import.meta.url)), "../../src");

export interface CitedId {
  readonly id: string;
  readonly file: string;
}

/** Every requirement id that a comment in src cites. */
export function citedIds(): CitedId[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|tsx|vue)$/.test(file))
    .flatMap((file) => idsInComments(readFileSync(join(SRC, file), "utf8")).map((id) => ({ id, file: `src/${file}` })));
}

export function idsInComments(source: string): string[] {
  const comments = source.match(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|<!--[\s\S]*?-->/g) ?? [];
  return comments.flatMap((comment) => comment.match(/\b[ETSKCB]\d{1,2}b?\b/g) ?? []);
}
