import { describe, expect, test } from "vitest";
import { isRefusal, refusedPlaces } from "../../../src/kernel/enact/refusal.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";
import { CHAIN, failure } from "../decide/situations.ts";

describe("E17: refusals", () => {
  test("E17: a key that is not accepted and a model that is not there are refusals, a limit is none", () => {
    const refusals = FAILURE_KINDS.filter((kind) => isRefusal(failure(kind, { retryable: false })));
    expect(refusals).toEqual(["auth", "permission", "not_found"]);
  });

  test("E17: who says that it passes is believed", () => {
    expect(isRefusal(failure("auth", { retryable: true }))).toBe(false);
  });

  test("E17: of a credential it speaks for this credential, of a model for all of them", () => {
    expect(refusedPlaces(CHAIN.entryOf, 1, "credential")).toEqual([1]);
    expect(refusedPlaces(CHAIN.entryOf, 1, "model")).toEqual([0, 1]);
    expect(refusedPlaces(CHAIN.entryOf, 2, "provider")).toEqual([2]);
  });
});
