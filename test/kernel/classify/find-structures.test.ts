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
    ['X { a: Some("b, c"), d: None }', { a: "b, c", d: null }],
    ["X { a: Sum(b, c: d }", { a: "Sum(b", c: "d" }],
    ['X { a: Some(\\"b, c\\") }', { a: "b, c" }],
    [`{"a":"b"\n${" ".repeat(24)},"c":{"d":"e"\n${" ".repeat(24)}}`, { a: "b", c: { d: "e" } }],
  ])("E1: %s is read as it is meant", (text, expected) => {
    expect(valuesIn(text)).toEqual([expected]);
  });

  test("E1: JSON in strings in strings is there for every level to be read", () => {
    expect(valuesIn(nested(3, { a: 1 }))).toEqual([{ message: nested(2, { a: 1 }) }]);
  });

  test.each([
    ['{\n "a": "\\u0041"\n}', [{ a: "A" }]],
    ['x {\n"a":"\\u0041"\n} y', [{ a: "A" }]],
    ['data: {"a":"\\u0041"}\ndata: {"b":"\\u0042"}', [{ a: "A" }, { b: "B" }]],
  ])("E1: what is JSON is read as such, with all of its escapes: %j", (text, expected) => {
    expect(valuesIn(text)).toEqual(expected);
  });

  test.each([
    ['{\\"a\\":1,\\n\\"b\\":2}', [{ a: 1, b: 2 }]],
    ['{\\"a\\":\\"x\\ny\\"}', [{ a: "x\ny" }]],
    ['{\\"x', []],
    ["x {", [{}]],
    ["{code: 'x', 5}", [{ code: "x" }]],
    ["{a: about 5}", [{ a: "about 5" }]],
    ["{a: 5 apples}", [{ a: "5 apples" }]],
    ["{a:} b: 2", [{ a: "" }]],
    ["{a: [1, 2", [{ a: [1, 2] }]],
    ["{a: [1} b: 2", [{ a: [1] }]],
    ['{"a":"x\\', [{ a: "x" }]],
  ])("E1: what is broken is read as far as it goes: %j", (text, expected) => {
    expect(valuesIn(text)).toEqual(expected);
  });

  test("E7: objects and lists are read twelve levels deep", () => {
    const inObjects = (times: number, value: unknown): unknown =>
      times === 0 ? value : { a: inObjects(times - 1, value) };
    const inLists = (times: number, value: unknown[]): unknown[] => (times === 0 ? value : [inLists(times - 1, value)]);
    const objects = (times: number) => `${"{a: ".repeat(times)}1${"}".repeat(times)}`;
    const lists = (times: number) => `{a: ${"[".repeat(times)}1${"]".repeat(times)}}`;
    expect(valuesIn(objects(13))).toEqual([inObjects(13, 1)]);
    expect(valuesIn(objects(14))).toEqual([inObjects(13, "{a: 1")]);
    expect(valuesIn(lists(12))).toEqual([{ a: inLists(11, [1]) }]);
    expect(valuesIn(lists(13))).toEqual([{ a: inLists(11, [[], 1]) }]);
  });

  test("E7: sixteen braces are tried", () => {
    expect(valuesIn(`${"{x} ".repeat(15)}{a:1}`)).toEqual([{ a: 1 }]);
    expect(valuesIn(`${"{x} ".repeat(16)}{a:1}`)).toEqual([]);
  });

  test("E7: what is no JSON is read 32,768 characters far", () => {
    const start = "{'a': '";
    const [found] = valuesIn(`${start}${"x".repeat(40_000)}', 'b': 1}`);
    expect(found).toEqual({ a: "x".repeat(32_768 - start.length) });
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
