import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanRequest, withModel } from "../../src/formats/index.ts";
import { often } from "../support/soak.ts";

type Json = Record<string, unknown>;

/** Objects with the fields that matter at every depth, and names and texts of any characters. */
const name = fc.oneof(fc.constantFrom("model", "stream", "messages"), fc.string({ unit: "binary" }));
const value: fc.Arbitrary<unknown> = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", '\\"', '"model":"x"', "{", "}", "[,]", "\u2028", "風🌊", true, false, null, 0, -1.5e-7),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(name, tie("json"), { maxKeys: 4 }),
  ),
})).json;
const body: fc.Arbitrary<Json> = fc
  .dictionary(name, value, { maxKeys: 6 })
  .chain((rest) =>
    fc
      .record(
        { model: fc.oneof(fc.string({ unit: "binary" }), value), stream: fc.oneof(fc.boolean(), value) },
        { requiredKeys: [] },
      )
      .map((own) => ({ ...rest, ...own }) as Json),
  );
const indent = fc.constantFrom(undefined, 1, 2, "\t", "\r\n ");

/** As `JSON.parse` sees it. */
function parsed(text: string): { model: string | undefined; isStreaming: boolean } {
  const { model, stream } = JSON.parse(text) as Json;
  return { model: typeof model === "string" ? model : undefined, isStreaming: stream === true };
}

const runs = { numRuns: often(3000, 300_000) };

describe("scanRequest", () => {
  test("E17: finds model and stream as JSON.parse does, in any object", () => {
    fc.assert(
      fc.property(body, indent, (object, space) => {
        const text = JSON.stringify(object, null, space);
        expect(scanRequest(text)).toMatchObject(parsed(text));
      }),
      runs,
    );
  });

  test("E17: the last of two equal fields counts", () => {
    const two = '{"model":"a","stream":true,"x":{"model":"no"},"model":"b","stream":false}';
    expect(scanRequest(two)).toMatchObject({ model: "b", isStreaming: false });
    expect(scanRequest('{"model":"a","model":7}').model).toBeUndefined();
  });

  test("E17: names that are written with escapes are the same names", () => {
    const escaped = '{"\\u006dodel":"a","str\\u0065am":true}';
    expect(scanRequest(escaped)).toMatchObject(parsed(escaped));
    expect(scanRequest('{"model":"\\u98a8\\n\\"x\\""}').model).toBe('風\n"x"');
  });

  test.each([
    ["nothing", ""],
    ["white space", " \n"],
    ["a list", '[{"model":"a"}]'],
    ["a text", '"model"'],
    ["an empty object", " { } "],
    ["no JSON", "model=a&stream=true"],
    ["a form", '------x\r\nname="model"\r\n\r\na'],
    ["an object that breaks off", '{"model'],
    ["a field without a value", '{"model":'],
  ])("E17: %s has no model", (_what, text) => {
    expect(scanRequest(text)).toMatchObject({ model: undefined, isStreaming: false });
  });

  test("E17: never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(200), (text, cut) => {
        scanRequest(text);
        scanRequest(`{"messages":${JSON.stringify(text)},"model":"a"}`.slice(0, cut));
      }),
      runs,
    );
  });

  test("E20: passes over a prompt of megabytes in a few milliseconds", () => {
    const long = JSON.stringify({ messages: ['say "\\\\"'.repeat(1_000_000)], model: "a", stream: true });
    const startedAt = performance.now();
    expect(scanRequest(long)).toMatchObject({ model: "a", isStreaming: true });
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

describe("withModel", () => {
  test("E17: changes the model and nothing else", () => {
    fc.assert(
      fc.property(body, indent, fc.string({ unit: "binary" }), (object, space, other) => {
        const text = JSON.stringify(object, null, space);
        const changed = withModel(text, scanRequest(text), other);
        const expected = typeof object.model === "string" ? { ...object, model: other } : object;
        expect(JSON.parse(changed)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      runs,
    );
  });

  test("E17: of two models the one that counts is changed", () => {
    const two = '{ "model" : "a", "model" : "b" }';
    expect(JSON.parse(withModel(two, scanRequest(two), "c"))).toEqual({ model: "c" });
  });
});
