import { type FileHandle, lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./confine.ts";
import { readFolder } from "./open-inside.ts";
import { readLines } from "./read-lines.ts";
import { NotText, withText } from "./with-text.ts";

const MIB = 1024 * 1024;
/** Longer lines are no text that a person has written; what is behind it is not searched. */
export const MOST_LINE_CHARS = MIB;
const SHOWN_LINE_CHARS = 200;
/** Folders that are never searched. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Of one search, over all its files. */
export interface SearchLimits {
  readonly files: number;
  readonly matches: number;
  readonly bytes: number;
  readonly timeMs: number;
}

/** One search: what it has found, and what it has left out. */
export class FileSearch {
  readonly matches: string[] = [];
  /** Lines of which only the beginning was searched. */
  cutLines = 0;
  /** Files and folders that could not be opened. Binary ones do not count. */
  unread = 0;
  /** After what it has stopped before its end, in words. */
  stoppedAfter: string | undefined;
  readonly #limits: SearchLimits;
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;
  #files = 0;
  #bytes = 0;

  constructor(limits: SearchLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#deadlineMs = performance.now() + limits.timeMs;
  }

  /** `wanted` in lower case. */
  async run(start: Place, wanted: string): Promise<void> {
    for await (const place of this.#walk(start)) {
      if (this.#isOver()) return;
      if (++this.#files > this.#limits.files) return this.#stop(count(this.#limits.files, "file"));
      try {
        await withText(place, (file) => this.#searchFile(file, place.name, wanted));
      } catch (fault) {
        // If one file was asked for, the result names what is wrong with it.
        if (place === start || this.#signal.aborted) throw fault;
        if (!(fault instanceof NotText)) this.unread++;
      }
      if (this.stoppedAfter !== undefined) return;
    }
  }

  /** A file, or all files below a folder. Links are not followed: they may lead out, or round in a circle. */
  async *#walk(start: Place): AsyncGenerator<Place> {
    if ((await lstat(start.real)).isDirectory()) yield* this.#walkFolder(start);
    else yield start;
  }

  async *#walkFolder(folder: Place): AsyncGenerator<Place> {
    if (this.#isOver()) return;
    const entries = await readFolder(folder).catch(() => undefined);
    if (entries === undefined) this.unread++;
    for (const entry of entries?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
      const { name } = entry;
      const inner = { ...folder, real: join(folder.real, name), name: join(folder.name, name) };
      if (entry.isDirectory() && !SKIPPED.has(name)) yield* this.#walkFolder(inner);
      else if (entry.isFile()) yield inner;
    }
  }

  async #searchFile(file: FileHandle, name: string, wanted: string): Promise<void> {
    const { matches, bytes: mostBytes } = this.#limits;
    let number = 0;
    for await (const { lines, bytes, cut } of readLines(file, MOST_LINE_CHARS)) {
      if (this.#isOver()) return;
      this.#bytes += bytes;
      if (this.#bytes > mostBytes) return this.#stop(`${mostBytes / MIB} MiB, in ${name}`);
      this.cutLines += cut;
      for (const line of lines) {
        number++;
        if (!line.toLowerCase().includes(wanted)) continue;
        if (this.matches.length === matches) return this.#stop(count(matches, "match"));
        this.matches.push(`${name}:${number}: ${line.slice(0, SHOWN_LINE_CHARS)}`);
      }
    }
  }

  #isOver(): boolean {
    this.#signal.throwIfAborted();
    if (performance.now() < this.#deadlineMs) return false;
    this.#stop(`${this.#limits.timeMs / 1000} s`);
    return true;
  }

  #stop(after: string): void {
    this.stoppedAfter = after;
  }
}

function count(number: number, what: "file" | "match"): string {
  const plural = what === "match" ? "matches" : "files";
  return `${number} ${number === 1 ? what : plural}`;
}
