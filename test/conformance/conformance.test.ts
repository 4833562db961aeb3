import { describe, expect, test } from "vitest";
import { citedIds, idsInComments } from "./cited-ids.ts";
import { coveringTests, idsOf, testTitles } from "./covering-tests.ts";
import { readRequirements } from "./requirements.ts";

const requirements = readRequirements();
const ids = new Set(requirements.map(({ id }) => id));

describe("docs/requirements.md", () => {
  test("lists every requirement once, in whole sentences", () => {
    expect(requirements).toHaveLength(77);
    expect(ids.size).toBe(77);
    expect(requirements.filter(({ text }) => !/[.?!_`]$/.test(text))).toEqual([]);
    expect(ids).toContain("E15b");
  });

  test("marks what is planned, and nothing else", () => {
    const planned = requirements.filter(({ isPlanned }) => isPlanned).map(({ id }) => id);
    expect(planned).toEqual(["B9"]);
  });

  test("has a test for every requirement that is not planned", () => {
    const untested = coveringTests().filter(({ isPlanned, tests }) => !isPlanned && tests.length === 0);
    expect(untested.map(({ id }) => id)).toEqual([]);
  });

  test("explains every id that a test title carries", () => {
    const unknown = testTitles().filter(({ title }) => idsOf(title).some((id) => !ids.has(id)));
    expect(unknown).toEqual([]);
  });

  test("explains every id that a comment in src cites", () => {
    const cited = citedIds();
    expect(cited.filter(({ id }) => !ids.has(id))).toEqual([]);
    expect(cited.length).toBeGreaterThan(20);
  });
});

describe("the conformance tools", () => {
  test("read an item of several lines, with its name and mark", () => {
    const document =
      "- **E8 Growth.** One\n  two.\n- **K6 Later (planned).** Three:\n\n  ```\n  four\n  ```\n\n- **x** no\n";
    expect(readRequirements(document)).toEqual([
      { id: "E8", name: "Growth", text: "One two.", isPlanned: false },
      { id: "K6", name: "Later", text: "Three: ``` four ```", isPlanned: true },
    ]);
  });

  test("find ids in comments, but not in code, addresses or strings", () => {
    const source = 'const E1 = "S2"; // E3\n/** K4 and\n * C5b. */\nfetch("https://T6");\n<!-- B7 -->';
    expect(idsInComments(source)).toEqual(["E3", "K4", "C5b", "B7"]);
  });
});
