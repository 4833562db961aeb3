import { describe, expect, test } from "vitest";
import { missingFrom, SUBPATHS } from "../package/missing-exports.ts";

describe("the types of the package", () => {
  for (const { subpath, file } of SUBPATHS) {
    test(`K6: ${subpath} exports every type that its signatures name`, () => {
      expect(missingFrom(file)).toEqual([]);
    });
  }
});
