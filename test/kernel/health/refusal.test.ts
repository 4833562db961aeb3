import { describe, expect, test } from "vitest";
import { isOpenEnded, isRefusal } from "../../../src/kernel/health/refusal.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";
import { failure } from "../decide/situations.ts";

describe("E17: refusals", () => {
  test("E17: a rejected key and an unknown model are refusals, a limit is not", () => {
    const refusals = FAILURE_KINDS.filter((kind) => isRefusal(failure(kind, { retryable: false })));
    expect(refusals).toEqual(["auth", "permission", "not_found"]);
  });

  test("E17: a used-up quota has no known end unless the endpoint gives a hint or it is retryable", () => {
    const openEnded = FAILURE_KINDS.filter((kind) => isOpenEnded(failure(kind, { retryable: false })));
    expect(openEnded).toEqual(["usage_limit"]);
    expect(isOpenEnded(failure("usage_limit", { retryable: false, hintMs: 5 }))).toBe(false);
    expect(isOpenEnded(failure("usage_limit", { retryable: true }))).toBe(false);
  });

  test("E17: an error marked as retryable is no refusal", () => {
    expect(isRefusal(failure("auth", { retryable: true }))).toBe(false);
  });
});
