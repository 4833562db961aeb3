import { chmod, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Writes a file that nobody but its owner can ever read, all of it or nothing. The new content goes to a file beside it, which is
 * created private and then takes the old one's place; while it is there it also keeps a second writer out, so that neither of
 * two changes is lost.
 */
export async function rewritePrivateFile(path: string, write: () => Promise<string>): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // It may have been there before us, with another mode.
  await chmod(folder, OWNER_ONLY_FOLDER);
  const draft = `${path}.new`;
  const file = await open(draft, "wx", OWNER_ONLY_FILE).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "EEXIST")
      throw new Error(`${draft} is there: another secondwind is writing. If none is, remove that file`);
    throw fault;
  });
  try {
    try {
      await file.writeFile(await write());
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (fault) {
    await unlink(draft).catch(() => undefined);
    throw fault;
  }
  await syncFolder(folder);
}

/** The new name is on the disk only when the folder is. Not every system can do that. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // The content is safe either way.
  }
}
