import { readdirSync, readFileSync } from "node:fs";
import type { FailureKind, FailureScope } from "../../src/kernel/model/failure.ts";

/** One recorded error with its label: a line of `corpus/*.jsonl`. */
export interface Labelled {
  readonly id: string;
  /** The day it was added. */
  readonly added: string;
  /** Whether it was looked at when a rule was written. */
  readonly seen: boolean;
  readonly provider: string;
  /** The client, SDK, agent, proxy or language that it came through. */
  readonly via?: string;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly where: "http" | "stream" | "client";
  readonly language: string;
  readonly kind: FailureKind;
  /** The first 547 have none. */
  readonly scope?: FailureScope;
  readonly retryable: boolean;
  readonly hintMs: number | null;
  readonly source: string;
  readonly why?: string;
  /** Why no classifier can get this one right from what it is given. */
  readonly undecidable?: string;
  /** The file it is in, without its ending. */
  readonly file: string;
}

const CORPUS = new URL("../../corpus/", import.meta.url);

/** All of the corpus, or one file of it. */
export function readCorpus(only?: string): Labelled[] {
  const files = readdirSync(CORPUS).filter((name) => name.endsWith(".jsonl"));
  return files.sort().flatMap((name) => {
    const file = name.replace(".jsonl", "");
    return only === undefined || only === file ? readLines(new URL(name, CORPUS), file) : [];
  });
}

/** The lines of any file in the same form. */
export function readLines(path: URL | string, file: string): Labelled[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, i) => (line.trim() === "" ? [] : [{ ...parseLine(line, `${file}, line ${i + 1}`), file }]));
}

function parseLine(line: string, where: string): Omit<Labelled, "file"> {
  try {
    return JSON.parse(line) as Omit<Labelled, "file">;
  } catch (fault) {
    throw new Error(`${where} is no JSON: ${(fault as Error).message}`);
  }
}
