import { chmod, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Writes a file that only its owner can ever read, whole or not at all. The new content goes to a draft next to it, which is
 * created private and then replaces the file. While the draft exists it keeps a second writer out, so that no change is lost.
 */
export async function rewritePrivateFile(path: string, write: () => Promise<string>): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // It may have existed before, with another mode.
  await chmod(folder, OWNER_ONLY_FOLDER);
  const draft = `${path}.new`;
  const file = await open(draft, "wx", OWNER_ONLY_FILE).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "EEXIST")
      throw new Error(`${draft} exists: another secondwind is writing. If none is running, delete that file`);
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
