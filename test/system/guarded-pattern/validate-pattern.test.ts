import { describe, expect, test } from "vitest";
import { scanPattern } from "../../../src/kernel/decide/scan-pattern.ts";
import { validatePattern } from "../../../src/system/guarded-pattern/validate-pattern.ts";
import { validatePatternNow } from "../../../src/system/guarded-pattern/validate-pattern-now.ts";

const UNBOUNDED = "which cannot be checked in bounded time. Write it without.";
const TOO_LARGE = "repeats too much: spelled out it would be too large to be checked in time.";
const COUNTS = "Counts go up to 1000, nested ones multiplied, and the smaller stands first.";

describe("patterns are looked at when they are saved", () => {
  test.each([
    ["```json", ""],
    ['\\{"status":\\s*"\\w+"\\}', ""],
    ["^# .+$", "im"],
    ["(?<name>\\w+): \\u0041\\cJ[^]", "gimsu"],
    ["[(?=1)]+(?:a|b)??", ""],
    ["\\(?=a", ""],
    ["a\\\\1", ""],
    ["\\p{L}{2,50}", "u"],
    ["a{1000}", ""],
    ["x{,3}{", ""],
    ["", ""],
  ])("E16: takes %s with flags %j", async (pattern, flags) => {
    expect(await validatePattern(pattern, flags)).toEqual({ ok: true });
  });

  test.each([
    ["a(?=b)", "", `uses a look-ahead, (?=…), ${UNBOUNDED}`],
    ["a(?!b)", "", `uses a negative look-ahead, (?!…), ${UNBOUNDED}`],
    ["(?<=a)b", "", `uses a look-behind, (?<=…), ${UNBOUNDED}`],
    ["[)](?<!a)b", "", `uses a negative look-behind, (?<!…), ${UNBOUNDED}`],
    ["(?>a)b", "", `uses an atomic group, (?>…), ${UNBOUNDED}`],
    ["(a)(?(1)b)", "", `uses a condition, (?(…)…), ${UNBOUNDED}`],
    ["a(?R)?", "", `uses a recursion, (?R), ${UNBOUNDED}`],
    ["(a)\\1", "", `uses a back-reference, \\1, ${UNBOUNDED}`],
    ["(a)[\\]\\2]\\12b", "", `uses a back-reference, \\12, ${UNBOUNDED}`],
    ["(?<n>a)\\k<n>", "", `uses a back-reference, \\k<n>, ${UNBOUNDED}`],
    ["(a{1000}){1000}", "", TOO_LARGE],
    ["(((a{100}){100}){100})", "", TOO_LARGE],
    [`(?:${"a".repeat(500)}){900}`, "", TOO_LARGE],
    [`x{1,999}y${"(a{500}|b)+".repeat(25)}`, "", TOO_LARGE],
    ["a".repeat(1001), "", "is longer than 1000 characters."],
    ["[", "", "is not valid: missing closing ]: `[`."],
    ["a)", "", "is not valid: unexpected ): `a)`."],
    ["a**", "", "is not valid: invalid nested repetition operator: `**`."],
    ["a{2,1}", "", `is not valid: invalid repeat count: \`{2,1}\`. ${COUNTS}`],
    ["a{1001}", "", "has a count over 1000, the largest that is possible."],
    ["a{1,1001}", "", "has a count over 1000, the largest that is possible."],
    ["a", "y", 'has the flag "y", but only i, m and s are possible.'],
    ["a", "ivd", 'has the flag "v", but only i, m and s are possible.'],
    ["a", "toString", 'has the flag "t", but only i, m and s are possible.'],
    [undefined as unknown as string, "", "must be text."],
    ["a", null as unknown as string, "must be text."],
  ])("E16: refuses %s with flags %j in words", async (pattern, flags, reason) => {
    expect(await validatePattern(pattern, flags)).toEqual({ ok: false, reason });
  });

  test("E16: flags may be omitted", async () => {
    expect(await validatePattern("a+")).toEqual({ ok: true });
  });

  test("E16: estimates the size before it compiles, never far below the truth", () => {
    expect(scanPattern("abc").size).toBe(3);
    expect(scanPattern("a{3}").size).toBe(3);
    expect(scanPattern("(ab){3}").size).toBe(12);
    expect(scanPattern("((a{2}){3}){4}").size).toBe(56);
    expect(scanPattern("a{2,5}").size).toBe(5);
    expect(scanPattern("a{0}b").size).toBe(2);
    expect(scanPattern("a*b+c?").size).toBe(6);
    expect(scanPattern("[abc]{7}").size).toBe(7);
    expect(scanPattern("(ab(cd").size).toBe(4);
    expect(scanPattern("[ab").size).toBe(1);
    expect(scanPattern("a{b").size).toBe(2);
  });

  test("E16: refuses the largest at once", () => {
    const startMs = performance.now();
    for (let round = 0; round < 100; round++) validatePatternNow(`(?:${"a".repeat(500)}){1000}`);
    // Compiling one of them takes 200 ms.
    expect(performance.now() - startMs).toBeLessThan(1000);
  });
});
