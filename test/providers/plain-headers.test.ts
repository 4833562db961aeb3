import fc from "fast-check";
import { expect, test } from "vitest";
import { PlainHeaders } from "../../src/providers/line/plain-headers.ts";

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);
const value = fc.stringMatching(/^[!-~]{1,12}$/);
const pairs = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key.toLowerCase(), maxLength: 8 });

test("E17: PlainHeaders behaves like the built-in Headers in everything that the line and the SDKs use", () => {
  fc.assert(
    fc.property(pairs, fc.array(fc.tuple(name, value), { maxLength: 4 }), name, (init, later, removed) => {
      for (const start of [init, Object.fromEntries(init)]) {
        const plain = new PlainHeaders(start);
        const real = new Headers(start);
        for (const [key, text] of later) {
          plain.set(key, text);
          real.set(key, text);
        }
        plain.delete(removed);
        real.delete(removed);
        const sorted = [...plain].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted).toEqual([...real]);
        expect([...plain.entries()]).toEqual([...plain]);
        for (const key of [...init, ...later].map(([key]) => key).concat(removed)) {
          expect(plain.get(key.toUpperCase())).toBe(real.get(key));
        }
      }
    }),
  );
});

test("E17: what has no value is not a header", () => {
  expect([...new PlainHeaders({ a: "1", b: undefined })]).toEqual([["a", "1"]]);
  expect([...new PlainHeaders()]).toEqual([]);
});
