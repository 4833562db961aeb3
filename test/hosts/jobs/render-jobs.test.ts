import picocolors from "picocolors";
import { expect, test } from "vitest";
import { jobLine } from "../../../src/hosts/jobs/render-jobs.ts";
import type { Job } from "../../../src/jobs/index.ts";

const NOW = 1_800_000_000_000;
const WAITING: Job = {
  id: "117zxh21jddn9r182uapq-3",
  state: "waiting",
  model: "sim/overloaded-twice",
  policy: "patient",
  createdAt: NOW - 5_000,
  updatedAt: NOW,
  until: NOW + 40_000,
  attempts: 1,
  crashes: 0,
  failure: { kind: "overloaded", reason: "wait", message: "529 Overloaded: the provider has no capacity" },
};

test("B6: the list of jobs shows how long a job waits, however narrow the terminal is", () => {
  const plain = picocolors.createColors(false);
  for (const columns of [20, 40, 80, 200]) expect(jobLine(WAITING, NOW, columns, plain)).toContain("retry in 40 s");
  expect(jobLine(WAITING, NOW, 200, plain)).toContain("retry in 40 s  529 Overloaded: the provider has no capacity");
  expect(jobLine(WAITING, NOW, 90, plain)).toMatch(/retry in 40 s {2}529 O.*…$/);
});
