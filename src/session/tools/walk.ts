import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./confine.ts";
import { readFolder } from "./open-inside.ts";

/** Folders that are never searched. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

export interface Found {
  /** A folder comes before what is in it; `unread` is one that can't be looked into. */
  readonly type: "file" | "folder" | "unread";
  readonly place: Place;
}

/** A file, or all that is below a folder. Links are not followed: they may lead out, or round in a circle. */
export async function* walk(place: Place): AsyncGenerator<Found> {
  if ((await lstat(place.real)).isDirectory()) yield* walkFolder(place);
  else yield { type: "file", place };
}

async function* walkFolder(place: Place): AsyncGenerator<Found> {
  yield { type: "folder", place };
  const entries = await readFolder(place).catch(() => undefined);
  if (entries === undefined) yield { type: "unread", place };
  for (const entry of entries?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
    const { name } = entry;
    const inner = { ...place, real: join(place.real, name), name: join(place.name, name) };
    if (entry.isDirectory() && !SKIPPED.has(name)) yield* walkFolder(inner);
    else if (entry.isFile()) yield { type: "file", place: inner };
  }
}
