import { expect, test } from "vitest";
import { sayExpired } from "../../../src/kernel/classify/engine-failure.ts";

const watchdog = { firstContentMs: 90_000, idleMs: 30_000 };

test.each([
  ["silent", "No content within 1 min 30 s"],
  ["stalled", "No new content for 30 s"],
] as const)("E15: the message of an attempt that was %s names the limit that has passed", (kind, message) => {
  expect(sayExpired(kind, watchdog as Parameters<typeof sayExpired>[1])).toBe(message);
});
