import { expect, test } from "vitest";
import { parseMaxWait } from "../../../src/hosts/ask/parse-max-wait.ts";

test.each([
  [undefined, Number.POSITIVE_INFINITY],
  ["0", 0],
  ["30", 30_000],
  ["2.5", 2500],
  ["90s", 90_000],
  ["5m", 300_000],
  ["1h", 3_600_000],
  ["2147483", 2_147_483_000],
])("B8: --max-wait %j is %d ms", (text, ms) => {
  expect(parseMaxWait(text)).toBe(ms);
});

test.each(["", " ", "0x10", "1e3", "soon", "-1", "5 s", "5d", ".5", "Infinity", "2147484", "30\n"])(
  "B8: --max-wait %j is refused, with what was given and the bound in words",
  (text) => {
    expect(() => parseMaxWait(text)).toThrow(
      `--max-wait must be in seconds such as 30 or 2.5, or as 90s, 5m or 1h; 24 days at most; got ${JSON.stringify(text)}`,
    );
  },
);
