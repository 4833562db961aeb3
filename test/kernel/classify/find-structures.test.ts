import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findStructures } from "../../../src/kernel/classify/find-structures.ts";

const valuesIn = (text: string) => findStructures(text).map(({ value }) => value);
const nested = (times: number, value: unknown): string => {
  let text = JSON.stringify(value);
  for (let i = 0; i < times; i++) text = JSON.stringify({ message: text });
  return text;
};

test("E1: a pair of a map in protobuf's text format is no object of its own", () => {
  expect(valuesIn('x { key: "quota_limit_value" value: "0" } {"a":1}')).toEqual([{ a: 1 }]);
});

describe("an object in a text", () => {
  test.each([
    ["by itself", '{"a":1}'],
    ["after words", '429 {"a":1}'],
    ["before words", '{"a":1} (request x)'],
    ["between words", 'data: {"a":1}\n\n'],
    ["before a line with braces", '{"a":1}\n{x}'],
    ["before other braces", '{"a":1} {x}'],
    ["after other braces", '{x}\n{"a":1}'],
    ["with a brace too many", '{"a":1}}'],
    ["as a Python dict", "Error code: 400 - {'a': 1}"],
    ["as what a console prints", "{ a: 1 }"],
    ["with equals signs", "Answer{a=1}"],
    ["as a Ruby hash", '{"a"=>1}'],
    ["cut off", '{"a":1'],
    ["cut off after a comma", '{"a":1,'],
    ["over several lines", '{\n  "a": 1,\n}'],
    ["escaped once", '{\\"a\\":1}'],
    ["escaped three times", `x ${JSON.stringify(JSON.stringify(JSON.stringify('{"a":1}')))}`],
  ])("E1: is found %s", (_, text) => {
    expect(valuesIn(text)).toEqual([{ a: 1 }]);
  });

  test.each(["", "no braces", "a\nb", '"a"', "{", "}{", "{x}", "{}x}", "{ 5 }", '{"a" 1}'])(
    "E1: there is none in %j",
    (text) => {
      expect(valuesIn(text).filter((value) => Object.keys(value as object).length > 0)).toEqual([]);
    },
  );

  test("E1: several are found in their order, four at most", () => {
    expect(valuesIn('data: {"a":1}\ndata: {"b":2}')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(valuesIn("{a:1} {b:2} {c:3} {d:4} {e:5}")).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }, { d: 4 }]);
  });

  test("E1: its place is known", () => {
    expect(findStructures("429 {'a': 1} end")).toEqual([{ value: { a: 1 }, start: 4, end: 12 }]);
  });

  test.each([
    ["{'a': True, 'b': False, 'c': None}", { a: true, b: false, c: null }],
    ["{'a': \"it's\", 'b': 'it\\'s'}", { a: "it's", b: "it's" }],
    ["{'a': b'x', 'b': u'y', 'c': -1.5}", { a: "x", b: "y", c: -1.5 }],
    ["{ a: [ 1, 'two', { b: null } ], c: [Object] }", { a: [1, "two", { b: null }], c: ["Object"] }],
    ["{ 'retry-after': '5', a: undefined }", { "retry-after": "5", a: undefined }],
    ['{"message":"{"error":{"code":429}}"}', { message: '{"error":{"code":429}}' }],
    ['{"a":"said "no" twice","b":2}', { a: 'said "no" twice', b: 2 }],
    ['{"a":"cut off in the mid', { a: "cut off in the mid" }],
    ['{"a":"line\\nbreak","b":"tab\\t"', { a: "line\nbreak", b: "tab\t" }],
    ["{a: 1, a: 2}", { a: 1 }],
    ["{status=400, body={code=x}}", { status: 400, body: { code: "x" } }],
  ])("E1: %s is read as it is meant", (text, expected) => {
    expect(valuesIn(text)).toEqual([expected]);
  });

  test("E1: JSON in strings in strings is there for every level to be read", () => {
    expect(valuesIn(nested(3, { a: 1 }))).toEqual([{ message: nested(2, { a: 1 }) }]);
  });

  test("E7: a key of the prototype does no harm", () => {
    expect(valuesIn("{'__proto__': {'status': 1}, 'a': 1}")).toEqual([{ a: 1 }]);
  });

  test("E7: whatever the text, it ends, and every object lies within the text", () => {
    const parts = fc.constantFrom("{", "}", "[", "]", '"', "'", "\\", ":", "=", ",", "a", "b'", " ", "\n", "1", "None");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        for (const { start, end } of findStructures(text)) {
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("E7: every JSON object is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (bag) => {
        expect(findStructures(`x: ${JSON.stringify(bag)} y`)[0]?.value).toEqual(JSON.parse(JSON.stringify(bag)));
      }),
      { numRuns: 500 },
    );
  });
});
