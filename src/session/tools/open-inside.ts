import type { Dirent } from "node:fs";
import { constants, type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { isInside, type Place } from "./confine.ts";

/**
 * Not through a link at the end of the path, and without waiting: a pipe without a writer would hang the opening itself.
 * Windows knows neither flag, and no such pipes.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The path of what was opened, where the system knows it. */
export type Where = (file: FileHandle) => Promise<string | undefined>;

/** Linux knows the path of every open file. It is that of the file itself: no name can be swapped under it. */
export const whereOpened: Where = async (file) =>
  process.platform === "linux" ? readlink(wayTo(file)).catch(() => undefined) : undefined;

/**
 * Opens a file or folder that `confine` has found. Between its look and ours another process may have put a link in the path, so it is
 * what was opened that is looked at: it must lie inside.
 */
export async function openInside(place: Place, where: Where = whereOpened): Promise<FileHandle> {
  const file = await open(place.real, FLAGS).catch((fault: NodeJS.ErrnoException) => {
    throw fault.code === "ELOOP" || fault.code === "EMLINK" ? becameLink(place) : fault;
  });
  const isSafe = await liesInside(file, place, where).catch(() => false);
  if (isSafe) return file;
  await file.close();
  throw becameLink(place);
}

/** What is in a folder that `confine` has found. */
export async function readFolder(place: Place, where: Where = whereOpened): Promise<readonly Dirent[]> {
  const folder = await openInside(place, where);
  try {
    if (!(await folder.stat()).isDirectory()) throw new Error(`"${place.name}" is not a folder`);
    const isKnown = (await where(folder)) !== undefined;
    // By the open folder where that is possible: its name may mean another one again.
    return await readdir(isKnown ? wayTo(folder) : place.real, { withFileTypes: true });
  } finally {
    await folder.close();
  }
}

async function liesInside(file: FileHandle, { root, real }: Place, where: Where): Promise<boolean> {
  const opened = await where(file);
  if (opened !== undefined) return isInside(root, opened);
  // Elsewhere the same file has to be found inside a second time. Who swaps back and forth at the right moments gets by.
  const again = await realpath(real);
  const [mine, found] = await Promise.all([file.stat({ bigint: true }), lstat(again, { bigint: true })]);
  return isInside(root, again) && mine.dev === found.dev && mine.ino === found.ino;
}

function wayTo(file: FileHandle): string {
  return `/proc/self/fd/${file.fd}`;
}

function becameLink({ name }: Place): Error {
  return new Error(`"${name}" became a link while it was opened`);
}
