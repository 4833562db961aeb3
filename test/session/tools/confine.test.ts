import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { confine } from "../../../src/session/tools/confine.ts";
import { openInside, readFolder, type Where, whereOpened } from "../../../src/session/tools/open-inside.ts";
import { toolFolder } from "./tool-folder.ts";

/** A system that does not know the path of an open file. */
const nowhere: Where = async () => undefined;

const folder = toolFolder();

beforeEach(async () => {
  const { outside, root } = folder;
  await rm(root, { recursive: true, force: true });
  await mkdir(join(root, "inner"), { recursive: true });
  await mkdir(join(outside, "private"), { recursive: true });
  await writeFile(join(root, "inner/a.txt"), "open to all");
  await writeFile(join(outside, "private/a.txt"), "secret");
});

/** What a process that works against us does after the path was looked at: the folder is now a link that leads out. */
async function swapFolder(): Promise<void> {
  const { outside, root } = folder;
  await rename(join(root, "inner"), join(root, "before"));
  await symlink(join(outside, "private"), join(root, "inner"));
}

async function swapFile(): Promise<void> {
  const { outside, root } = folder;
  await rm(join(root, "inner/a.txt"));
  await symlink(join(outside, "private/a.txt"), join(root, "inner/a.txt"));
}

describe.each([
  ["where the system tells what was opened", whereOpened],
  ["where it does not", nowhere],
])("confinement, %s", (_where, where) => {
  test("S9: what is inside is opened", async () => {
    const { root } = folder;
    const file = await openInside(await confine(root, "inner/a.txt"), where);
    expect(await file.readFile("utf8")).toBe("open to all");
    await file.close();
  });

  test.each([
    ["a file", "inner/a.txt", swapFile],
    ["a folder on the way", "inner/a.txt", swapFolder],
    ["the folder itself", "inner", swapFolder],
  ])("S9: %s that becomes a link between the look and the opening leads nowhere", async (_what, path, swap) => {
    const { root } = folder;
    const place = await confine(root, path);
    await swap();
    await expect(openInside(place, where)).rejects.toThrow("became a link");
  });

  test("S9: a folder that became a link is not listed", async () => {
    const { root } = folder;
    const place = await confine(root, "inner");
    await swapFolder();
    await expect(readFolder(place, where)).rejects.toThrow("became a link");
  });
});

test.each([
  ["where the system tells what was opened", whereOpened],
  ["where it does not", nowhere],
])("S9: a folder that is swapped back before the second look deceives nobody, %s", async (_where, where) => {
  const { root } = folder;
  const place = await confine(root, "inner/a.txt");
  await swapFolder();
  const opening = openInside(place, async (file) => {
    await rm(join(root, "inner"));
    await rename(join(root, "before"), join(root, "inner"));
    return where(file);
  });
  await expect(opening).rejects.toThrow("became a link");
});

test.runIf(process.platform === "linux")(
  "S9: a folder that was opened is listed, whatever its name means by then",
  async () => {
    const { outside, root } = folder;
    await writeFile(join(outside, "private/diary.txt"), "secret");
    const place = await confine(root, "inner");
    let looks = 0;
    const names = await readFolder(place, async (file) => {
      if (++looks === 2) await swapFolder();
      return whereOpened(file);
    });
    expect(names.map(({ name }) => name)).toEqual(["a.txt"]);
  },
);

test.skipIf(process.platform === "win32")("S9: a link at the end of the path is not even opened", async () => {
  const { root } = folder;
  const place = await confine(root, "inner/a.txt");
  await swapFile();
  let wasOpened = false;
  const opening = openInside(place, async (file) => {
    wasOpened = true;
    return whereOpened(file);
  });
  await expect(opening).rejects.toThrow("became a link");
  expect(wasOpened).toBe(false);
});
