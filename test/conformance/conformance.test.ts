import { expect, test } from "vitest";
import { coveringTests, DUE } from "./covering-tests.ts";

test("every requirement that is due has a test that names it", () => {
  const covered = new Map(coveringTests().map(({ id, tests }) => [id, tests.length]));
  expect(DUE.filter((id) => (covered.get(id) ?? 0) === 0)).toEqual([]);
  expect(DUE).toContain("E15b");
});
