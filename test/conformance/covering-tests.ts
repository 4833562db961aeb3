import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Requirement, readRequirements } from "./requirements.ts";

const TESTS = resolve(dirname(fileURLToPath(import.meta.url)), "..");

export interface TestTitle {
  readonly file: string;
  readonly title: string;
}

export interface Covered extends Requirement {
  readonly tests: readonly TestTitle[];
}

/** Each requirement with the tests whose titles carry its id: "E6: …" or "E6, B2: …". */
export function coveringTests(): Covered[] {
  const titles = testTitles();
  return readRequirements().map((requirement) => ({
    ...requirement,
    tests: titles.filter(({ title }) => idsOf(title).includes(requirement.id)),
  }));
}

/** The titles of all tests, including those of contracts that several files run. */
export function testTitles(): TestTitle[] {
  return readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$|-contract\.ts$/.test(file) && !file.includes("node_modules"))
    .flatMap((file) =>
      titlesOf(readFileSync(join(TESTS, file), "utf8")).map((title) => ({ file: `test/${file}`, title })),
    );
}

export function idsOf(title: string): string[] {
  const head = /^((?:[ETSKCB]\d+b?)(?:, [ETSKCB]\d+b?)*):/.exec(title);
  return head?.[1]?.split(", ") ?? [];
}

function titlesOf(source: string): string[] {
  const found = source.matchAll(/\b(?:test|it)(?:\.each\([^)]*\))?\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/gs);
  return [...found].map((match) => match[2] as string);
}
