import { describe, expect, test } from "vitest";
import { chainOf, SINGLE_TARGET } from "../../../src/kernel/decide/chain.ts";
import type { TargetEntry } from "../../../src/kernel/model/target.ts";

describe("E17: the chain", () => {
  test("E17: every credential of the first model comes before the next model", () => {
    expect(
      chainOf([
        { provider: "a", model: "x", credentials: ["k1", "k2"] },
        { provider: "b", model: "y" },
      ]),
    ).toEqual({
      targets: [
        { provider: "a", model: "x", credential: "k1" },
        { provider: "a", model: "x", credential: "k2" },
        { provider: "b", model: "y", credential: "" },
      ],
      entryOf: [0, 0, 1],
      warnings: [],
    });
  });

  test("E17: an unusable entry is skipped with a warning, and the others keep their places", () => {
    expect(
      chainOf([
        { provider: "a", model: " " },
        { provider: "b", model: "y", credentials: [] },
        { provider: "", model: "z" },
      ]),
    ).toEqual({
      targets: [{ provider: "", model: "z", credential: "" }],
      entryOf: [2],
      warnings: ["targets[0] (a/ ) is skipped: it names no model", "targets[1] (b/y) is skipped: it has no key"],
    });
  });

  test("E17: an entry without model and key is warned of once, for the model", () => {
    expect(chainOf([{ provider: "a", model: "", credentials: [] }], "fallbackModels").warnings).toEqual([
      "fallbackModels[0] (a/) is skipped: it names no model",
    ]);
  });

  test("E17: the same credential twice is one target; the same model twice is two entries", () => {
    const chain = chainOf([
      { provider: "a", model: "x", credentials: ["k", "k", "l"] },
      { provider: "a", model: "x", credentials: ["k"] },
    ]);
    expect(chain.targets.map((target) => target.credential)).toEqual(["k", "l", "k"]);
    expect(chain.entryOf).toEqual([0, 0, 1]);
  });

  test("E17: nothing given is an empty chain", () => {
    expect(chainOf([])).toEqual({ targets: [], entryOf: [], warnings: [] });
  });

  test("E17: targets can't change under a running generation", () => {
    const chain = chainOf([{ provider: "a", model: "x" }]);
    expect(Object.isFrozen(chain)).toBe(true);
    expect(Object.isFrozen(chain.targets[0])).toBe(true);
  });

  test("E17: a call that names no target has one without a name", () => {
    expect(SINGLE_TARGET).toEqual({
      targets: [{ provider: "", model: "", credential: "" }],
      entryOf: [0],
      warnings: [],
    });
    expect(Object.isFrozen(SINGLE_TARGET)).toBe(true);
    expect(Object.isFrozen(SINGLE_TARGET.targets[0])).toBe(true);
  });

  test.each<[unknown, string]>([
    [{}, "targets must be an array; got an object"],
    [["gpt"], 'targets[0] must be an object; got "gpt"'],
    [[{ provider: "a", model: "x" }, null], "targets[1] must be an object; got null"],
    [[{ model: "x" }], "targets[0].provider must be a string; got undefined"],
    [[{ provider: "a", model: 3 }], "targets[0].model must be a string; got 3"],
    [[{ provider: "a", model: "x", credentials: "k" }], 'targets[0].credentials must be an array; got "k"'],
    [[{ provider: "a", model: "x", credentials: ["k", 5] }], "targets[0].credentials[1] must be a string; got 5"],
    [
      [{ provider: "a", model: "x", key: "k" }],
      'targets[0].key must be omitted (known fields: provider, model, credentials); got "k"',
    ],
  ])("E17: refuses %j", (entries, message) => {
    expect(() => chainOf(entries as readonly TargetEntry[])).toThrow(
      expect.objectContaining({ name: "InvalidInput", message }),
    );
  });
});
