import { describe, expect, test } from "vitest";
import { clip } from "../../../src/kernel/classify/bounds.ts";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { findStructures } from "../../../src/kernel/classify/find-structures.ts";
import { readProblem } from "../../../src/kernel/classify/read-problem.ts";

const wrap = (times: number, leaf: unknown): unknown => (times === 0 ? leaf : { error: wrap(times - 1, leaf) });
const fill = <T>(length: number, item: T): T[] => Array.from({ length }, () => item);
const fillerKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

describe("what is read of a problem", () => {
  test("E7: objects down to the twelfth level, and none below", () => {
    expect(classify(wrap(12, { status: 503 })).status).toBe(503);
    expect(classify(wrap(13, { status: 503 })).status).toBeUndefined();
  });

  test("E7: 96 objects, and none after", () => {
    // The list and seven chains of twelve are 85; the eleventh of the last chain is number 96.
    const chains = fill(7, wrap(11, {}));
    expect(readProblem([...chains, wrap(10, { status: 503 })])).toMatchObject({ nodes: 96, status: 503 });
    expect(readProblem([...chains, wrap(11, { status: 503 })])).toMatchObject({ nodes: 96, status: undefined });
  });

  test("E7: what is neither object nor text does not count", () => {
    expect(readProblem([null, undefined, 5, true, 5n, "x", Symbol("s")]).nodes).toBe(1);
  });

  test("E7: the first eight items of a list", () => {
    expect(classify({ errors: [...fill(7, {}), { status: 503 }] }).status).toBe(503);
    expect(classify({ errors: [...fill(8, {}), { status: 503 }] }).status).toBeUndefined();
  });

  test("E7: the first 128 properties of an object", () => {
    expect(classify({ ...fillerKeys(127), status: 503 }).status).toBe(503);
    expect(classify({ ...fillerKeys(128), status: 503 }).status).toBeUndefined();
  });

  test("E7: the first 32 codes", () => {
    const four = { type: "a", reason: "b", error_type: "c", __type: "d" };
    const { __type, ...three } = four;
    expect(readProblem({ errors: [...fill(7, four), three], type: "last" }).codes.slice(30)).toEqual(["c", "last"]);
    expect(readProblem({ errors: fill(8, four), type: "last" }).codes.slice(30)).toEqual(["c", "d"]);
  });

  test("E7: the first 32,768 characters of text, and JSON only among them", () => {
    const json = '{"error":{"code":"slow_down"}}';
    const full = readProblem(["a".repeat(20_480), "b".repeat(12_287), json]);
    expect(full.codes).toEqual(["slow_down"]);
    expect(full.texts).toHaveLength(32_768 + 1 + json.length);
    const overfull = readProblem(["a".repeat(20_480), "b".repeat(12_288), json]);
    expect(overfull.codes).toEqual([]);
    expect(overfull.texts).toHaveLength(32_769);
  });

  test("E7: 200 characters of a quota's name", () => {
    expect(readProblem({ quotaId: "q".repeat(201) }).quotas).toBe(`${"q".repeat(200)} `);
  });

  test("E7: a code of 96 characters, none longer", () => {
    const code = (chars: number) => `slow${"_".repeat(chars - 8)}down`;
    expect(classify({ code: code(96) }).kind).toBe("rate_limit");
    expect(classify({ code: code(97) }).kind).toBe("unknown");
  });

  test("E7: a status at the end of a code of 64 characters, none longer", () => {
    expect(classify({ code: `${"x".repeat(60)}.503` }).status).toBe(503);
    expect(classify({ code: `${"x".repeat(61)}.503` }).status).toBeUndefined();
  });

  test("E7: the first 64 identifiers of a text", () => {
    expect(classify(`${"ab_c ".repeat(63)} billing_not_active`).kind).toBe("usage_limit");
    expect(classify(`${"ab_c ".repeat(64)} billing_not_active`).kind).toBe("unknown");
  });

  test("E7: the first 256 of a list of headers", () => {
    const headers = (count: number) => [...fill(count, ["x", "y"]), ["retry-after", "3"]];
    expect(classify({ status: 429, headers: headers(255) }).hintMs).toBe(3000);
    expect(classify({ status: 429, headers: headers(256) }).hintMs).toBeUndefined();
  });
});

describe("a long text", () => {
  test("E7: keeps up to 20,480 characters, and the start and the end of a longer one", () => {
    const whole = `${"a".repeat(16_384)}${"b".repeat(4096)}`;
    expect(clip(whole)).toBe(whole);
    expect(clip(`${"a".repeat(16_384)}x${"b".repeat(4096)}`)).toBe(`${"a".repeat(16_384)}\n${"b".repeat(4096)}`);
  });

  test("E7: is parsed as JSON up to 131,072 characters", () => {
    const json = (chars: number) => `{"a":"${"x".repeat(chars - 8)}"}`;
    expect(findStructures(json(131_072))).toMatchObject([{ value: { a: "x".repeat(131_064) } }]);
    expect(findStructures(json(131_073))).toEqual([]);
  });
});

describe("a message that has to be made up", () => {
  test("E7: shows six levels", () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    expect(classify(nested(6)).message).toBe('{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}');
    expect(classify(nested(7)).message).toBe('{"a":{"a":{"a":{"a":{"a":{"a":{"a":…}}}}}}}');
  });

  test("E7: shows 4,096 characters of values", () => {
    expect(classify({ a: "v".repeat(4093), b: 1 }).message).toBe(`{"a":"${"v".repeat(4093)}","b":1}`);
    expect(classify({ a: "v".repeat(4094), b: 1 }).message).toBe(`{"a":"${"v".repeat(4094)}","b":…}`);
    expect(classify({ a: "v".repeat(5000) }).message).toBe(`{"a":"${"v".repeat(4096)}"}`);
  });

  test("E7: shows 32 items of a list", () => {
    expect(classify({ a: fill(33, 1) }).message).toBe(`{"a":[${fill(32, 1).join(",")}]}`);
  });
});
