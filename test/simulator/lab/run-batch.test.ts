import { describe, expect, test } from "vitest";
import { FEEDS, type Feed, runBatch } from "../../../src/simulator/lab/batch/run-batch.ts";

const feedOf = (name: string): Feed => FEEDS.find((feed) => feed.name === name) as Feed;
const run = (name: string, seed = 1) => runBatch({ feed: feedOf(name), lines: 3000, seed, perMinute: 600 });

describe("the lab's rate-limited batch", () => {
  test("B7: the pace uses at least 90 % of the limit, at most 2 % of its calls get 429, and no line fails", async () => {
    for (const seed of [1, 2, 3]) {
      const { ofLimit, limited, failed } = await run("paced", seed);
      expect(ofLimit).toBeGreaterThan(0.9);
      expect(limited).toBeLessThan(0.02);
      expect(failed).toBe(0);
    }
  });

  test("B7: a fixed number at a time with another package gets many more 429", async () => {
    const paced = await run("paced");
    const fixed = await run("100, p-retry");
    expect(fixed.limited).toBeGreaterThan(10 * paced.limited);
  });

  test("B7: the same seed gives the same figures", async () => {
    expect(await run("paced", 7)).toEqual(await run("paced", 7));
  });
});
