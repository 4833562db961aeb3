import { describe, expect, test } from "vitest";
import {
  checkArray,
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  checkString,
  deepFreeze,
  withDefaults,
} from "../../../src/kernel/model/check.ts";
import { InvalidInput, show } from "../../../src/kernel/model/invalid-input.ts";
import { targetName } from "../../../src/kernel/model/target.ts";

describe("E12: what is checked at the border", () => {
  test.each<[unknown, Parameters<typeof checkNumber>[2], string | undefined]>([
    [0, { min: 0 }, undefined],
    [-0.001, { min: 0 }, "a number of at least 0"],
    [Number.MAX_SAFE_INTEGER, { min: 0 }, undefined],
    [Number.POSITIVE_INFINITY, { min: 0 }, "a number of at least 0"],
    [5, { min: 1, max: 5 }, undefined],
    [5.001, { min: 1, max: 5 }, "a number from 1 to 5"],
    [1, { min: 1, max: 5, integer: true }, undefined],
    [1.5, { min: 1, max: 5, integer: true }, "a whole number from 1 to 5"],
    [1.5, { min: 1, max: 5, integer: false }, undefined],
    [Number.NaN, { min: 1, max: 5 }, "a number from 1 to 5"],
    ["3", { min: 1, max: 5 }, "a number from 1 to 5"],
    [3n, { min: 1, integer: true }, "a whole number of at least 1"],
    [-5, { min: Number.NEGATIVE_INFINITY, max: 5 }, undefined],
    [6, { min: Number.NEGATIVE_INFINITY, max: 5 }, "a number of at most 5"],
  ])("E12: the number %s within %j: wrong is %j", (value, bounds, allowed) => {
    if (allowed === undefined) expect(checkNumber("f", value, bounds)).toBe(value);
    else expect(() => checkNumber("f", value, bounds)).toThrow(`f must be ${allowed}; got ${show(value)}`);
  });

  test("E12: booleans, strings, choices and lists come back as they are", () => {
    const list: unknown[] = [];
    expect(checkBoolean("f", false)).toBe(false);
    expect(checkString("f", "")).toBe("");
    expect(checkOneOf("f", "b", ["a", "b"])).toBe("b");
    expect(checkArray("f", list)).toBe(list);
  });

  test("E12: anything else is refused, with the field, the value and what is allowed", () => {
    expect(() => checkBoolean("f", 0)).toThrow("f must be true or false; got 0");
    expect(() => checkString("f", 1)).toThrow("f must be a string; got 1");
    expect(() => checkString("f", 1, "a name")).toThrow("f must be a name; got 1");
    expect(() => checkOneOf("f", "c", ["a", "b"])).toThrow('f must be one of a, b; got "c"');
    expect(() => checkOneOf("f", undefined, ["a", "b"])).toThrow("f must be one of a, b; got undefined");
    expect(() => checkArray("f", { length: 0 })).toThrow("f must be an array; got an object");
  });

  test("E12: an object may have known fields only, where they are known", () => {
    const value = { a: 1 };
    expect(checkObject("f", value)).toBe(value);
    expect(checkObject("f", value, ["a", "b"])).toBe(value);
    expect(() => checkObject("f", value, ["b", "c"])).toThrow("f.a must be omitted (known fields: b, c); got 1");
    for (const [wrong, shown] of [
      [null, "null"],
      [[], "an array"],
      ["x", '"x"'],
      [undefined, "undefined"],
    ] as const) {
      expect(() => checkObject("f", wrong, ["a"])).toThrow(`f must be an object; got ${shown}`);
    }
  });

  test("E12: defaults replace omitted and undefined values, not null, zero or the empty string", () => {
    expect(withDefaults({ a: 1, b: 2, c: 3, d: 4, e: 5 }, { b: undefined, c: null, d: 0, e: "" })).toEqual({
      a: 1,
      b: 2,
      c: null,
      d: 0,
      e: "",
    });
  });

  test("E12: freezes to the bottom, and stops where it was frozen already", () => {
    const value = deepFreeze({ a: { b: [{ c: 1 }] }, n: null, s: "x" });
    expect(Object.isFrozen(value.a.b[0])).toBe(true);
    expect(Object.isFrozen(value.a.b)).toBe(true);
    expect(deepFreeze(value)).toBe(value);
    expect(deepFreeze("x")).toBe("x");
    expect(deepFreeze(null)).toBe(null);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(Object.isFrozen(deepFreeze(cyclic))).toBe(true);
  });
});

describe("E7: how a refused value is shown", () => {
  test.each<[unknown, string]>([
    ["a\nb", '"a\\nb"'],
    ["x".repeat(60), `"${"x".repeat(60)}"`],
    ["x".repeat(61), `"${"x".repeat(60)}…"`],
    [1.5, "1.5"],
    [Number.NaN, "NaN"],
    [true, "true"],
    [undefined, "undefined"],
    [12n, "12n"],
    [Symbol("secret"), "a symbol"],
    [() => "secret", "a function"],
    [null, "null"],
    [["secret"], "an array"],
    [{ secret: 1 }, "an object"],
  ])("E7: %s", (value, shown) => {
    expect(show(value)).toBe(shown);
  });

  test("E7: never calls into the value", () => {
    const trap = {
      toString: () => {
        throw new Error("called");
      },
      toJSON: () => {
        throw new Error("called");
      },
    };
    expect(show(trap)).toBe("an object");
  });

  test("E12: the error is a TypeError that carries the field and what is allowed", () => {
    const error = new InvalidInput("policy.name", 5, "a string");
    expect(error).toBeInstanceOf(TypeError);
    expect({ ...error, message: error.message }).toEqual({
      name: "InvalidInput",
      field: "policy.name",
      allowed: "a string",
      message: "policy.name must be a string; got 5",
    });
  });
});

describe("E17: the name of a target", () => {
  test.each([
    [{ provider: "openai", model: "gpt", credential: "" }, "openai/gpt"],
    [{ provider: "openai", model: "gpt", credential: "k1" }, "openai/gpt (k1)"],
    [{ provider: "", model: "gpt", credential: "" }, "gpt"],
    [{ provider: "", model: "gpt", credential: "k1" }, "gpt (k1)"],
  ])("E17: %j is %s", (target, name) => {
    expect(targetName(target)).toBe(name);
  });
});
