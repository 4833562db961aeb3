import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GivenUp } from "../../src/library/given-up.ts";

const isSame = (one: string, other: string): boolean => {
  const givenUp = new GivenUp();
  givenUp.add(one, 0, true);
  return givenUp.find(other, 0, false) === true;
};

/** The same value, with the members of each object turned round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

describe("B3: a request that was given up", () => {
  test("B3: is the same one if the members of its objects come in another order, as Codex sends them", () => {
    const name = fc.stringMatching(/^[a-z_]{1,8}$/);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string(),
        fc.dictionary(name, tie("value"), { maxKeys: 4 }),
        fc.array(tie("value"), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, (request) => {
        expect(isSame(JSON.stringify(request), JSON.stringify(reversed(request)))).toBe(true);
      }),
    );
  });

  test("B3: is not the same one if anything else differs", () => {
    const request = fc.record({
      model: fc.string(),
      messages: fc.array(fc.record({ role: fc.string(), content: fc.string() })),
    });
    fc.assert(
      fc.property(request, request, (one, other) => {
        const texts = [one, other].map((each) => JSON.stringify(each)) as [string, string];
        const sorted = texts.map((text) => [...text].sort().join(""));
        if (sorted[0] !== sorted[1]) expect(isSame(...texts)).toBe(false);
      }),
    );
    const said = (content: string): string => JSON.stringify({ messages: [{ role: "user", content }] });
    for (const [one, other] of [
      ["sort 3,1,2,9", "sort 3,2,1,9"],
      ["a\nb", "a\tb"],
      ['a"b,c"d', 'a"c,b"d'],
      ["{a}[b]", "[a]{b}"],
      ["x", "y"],
    ] as const)
      expect(isSame(said(one), said(other)), one).toBe(false);
  });

  test.each([
    [false, 30_000],
    [true, 600_000],
  ])("B3: is forgotten after a while, which is longer if the client says that it retries: %s", (isSaid, limitMs) => {
    for (const [afterMs, found] of [
      [limitMs - 1, true],
      [limitMs, undefined],
    ] as const) {
      const givenUp = new GivenUp();
      givenUp.add("a", 0, true);
      expect(givenUp.find("a", afterMs, isSaid)).toBe(found);
    }
  });

  test("B3: is remembered for longer if it comes back later each time, as agents do", () => {
    const givenUp = new GivenUp();
    givenUp.add("a", 0, true);
    let nowMs = 0;
    for (const gapMs of [2400, 4500, 8100, 16_600, 35_500, 39_000]) {
      nowMs += gapMs;
      expect(givenUp.find("a", nowMs, false)).toBe(true);
      givenUp.add("a", nowMs, true);
    }
    expect(givenUp.find("a", nowMs + 3 * 39_000, false)).toBeUndefined();
    givenUp.forget("a");
    expect(givenUp.isEmpty).toBe(true);
  });
});
