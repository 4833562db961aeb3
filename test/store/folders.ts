import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder of this test file's own, gone at its end; each call names a new file in it. */
export function newFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-store-"));
  let count = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, `${++count}`, "secondwind.db");
}
