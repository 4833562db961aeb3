import { describe, expect, test } from "vitest";
import { receiptOf } from "../../../src/kernel/finish/receipt.ts";

const A = { provider: "a", model: "x", credential: "" };
const B = { provider: "b", model: "y", credential: "" };

describe("the receipt", () => {
  const ending = {
    generationId: "g",
    hasDelivered: false,
    attempts: 2,
    calls: 2,
    elapsedMs: 9,
    waitedMs: 5,
    patienceMs: 300_000,
    target: B,
    failed: [{ attempt: 1, target: A, kind: "server", status: 500, waitedMs: 5 }],
    warnings: ["skipped"],
  } as const;

  test("B4: of a success lists the failed attempts and the good one", () => {
    expect(receiptOf({ ...ending, outcome: "succeeded", hasDelivered: true })).toStrictEqual({
      generationId: "g",
      complete: true,
      truncated: false,
      outcome: "succeeded",
      attempts: 2,
      calls: 2,
      waitedMs: 5,
      patienceMs: 300_000,
      elapsedMs: 9,
      targets: [A, B],
      history: [
        { attempt: 1, target: A, kind: "server", status: 500, waitedMs: 5 },
        { attempt: 2, target: B },
      ],
      warnings: ["skipped"],
    });
  });

  test("B4: of a failure after content reports the answer as truncated", () => {
    const failed = [{ attempt: 1, target: B, kind: "network" }] as const;
    expect(
      receiptOf({ ...ending, failed, attempts: 1, outcome: "already-streaming", hasDelivered: true }),
    ).toMatchObject({ complete: false, truncated: true, outcome: "already-streaming", targets: [B], history: failed });
  });

  test("B4: of a generation that never started has no target", () => {
    expect(receiptOf({ ...ending, failed: [], attempts: 0, outcome: "aborted" })).toMatchObject({
      complete: false,
      truncated: false,
      targets: [],
      history: [],
      warnings: ["skipped"],
    });
  });
});
