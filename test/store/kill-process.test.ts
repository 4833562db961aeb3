import { expect, test } from "vitest";
import { often } from "../support/soak.ts";
import { newFiles } from "./folders.ts";
import { expectKept, killMany, type Promised } from "./kill-rounds.ts";
import { runStoreChild } from "./store-child.ts";

const newFile = newFiles();
const KILLS = often(40, 2000);
const KILLS_A_LOOK = 20;

test(
  "S6: no kill -9, at whatever moment, loses an entry that was acknowledged",
  async () => {
    const path = newFile();
    const promises: Promised[] = [];
    while (promises.length < KILLS) {
      await killMany(path, KILLS_A_LOOK, promises);
      await expectKept(path, promises);
    }
    // They were killed at work, not before it.
    const atWork = promises.filter(({ seqs }) => seqs.length > 0);
    expect(atWork.length).toBeGreaterThan(KILLS / 3);
  },
  60_000 + KILLS * 2000,
);

test("S6: processes that create a store and append at the same time do not disturb each other", async () => {
  const path = newFile();
  const said = await Promise.all(Array.from({ length: 6 }, () => runStoreChild(["append", path, "c", "20"])));
  const seqs = said.flatMap((lines) => lines.split("\n").slice(1, -1).map(Number));
  // Of each append its last seq is said: 10 single ones, 10 pairs of one and three.
  expect(seqs).toHaveLength(6 * 30);
  expect(new Set(seqs).size).toBe(6 * 30);
  expect(Math.max(...seqs)).toBe(6 * 50);
});
