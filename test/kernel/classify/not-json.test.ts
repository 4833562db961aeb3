import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const verdict = (problem: unknown) => {
  const { kind, scope, retryable, evidence } = classify(problem);
  return `${kind} ${scope} ${retryable ? "retry" : "stop"} ${evidence}`;
};

const V8 = [
  `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
  `Unexpected token '<', "<html>" is not valid JSON`,
  `Unexpected token 'o', ..."{"a": 1, oops}"... is not valid JSON`,
  `Unexpected token 'o', ..."{"a": 1, oops" is not valid JSON`,
  `"undefined" is not valid JSON`,
  "Unexpected end of JSON input",
  "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
  "Expected ':' after property name in JSON at position 4",
  "Expected ',' or '}' after property value in JSON at position 6",
  "Expected ',' or ']' after array element in JSON at position 2",
  "Expected double-quoted property name in JSON at position 7",
  "Unterminated string in JSON at position 4",
  "Unterminated fractional number in JSON at position 2",
  "Bad control character in string literal in JSON at position 2",
  "Bad escaped character in JSON at position 2",
  "Bad Unicode escape in JSON at position 5",
  "No number after minus sign in JSON at position 1",
  "Exponent part is missing a number in JSON at position 2",
  "Unexpected non-whitespace character after JSON at position 3",
  "Unexpected number in JSON at position 1",
];
const V8_BEFORE_NODE_20 = [
  "Unexpected token < in JSON at position 0",
  "Unexpected token \n in JSON at position 12",
  "Unexpected string in JSON at position 5",
  "Unexpected number in JSON at position 3",
];
const JAVASCRIPT_CORE = [
  "JSON Parse error: Unexpected EOF",
  "JSON Parse error: Unrecognized token '<'",
  'JSON Parse error: Unexpected identifier "upstream"',
  "JSON Parse error: Unterminated string",
  "JSON Parse error: Expected '}'",
  "JSON Parse error: Expected ']'",
  "JSON Parse error: Property name must be a string literal",
  "JSON Parse error: Single quotes (') are not allowed in JSON",
  "JSON Parse error: Unable to parse JSON string",
  "JSON Parse error: Invalid escape character x",
];
const HERMES = ["JSON Parse error: Unexpected character: <", "JSON Parse error: Unexpected end of input"];
const SPIDER_MONKEY = [
  "JSON.parse: unexpected character at line 1 column 1 of the JSON data",
  "JSON.parse: unexpected end of data at line 1 column 1 of the JSON data",
  "JSON.parse: unterminated string literal at line 1 column 2 of the JSON data",
  "JSON.parse: bad control character in string literal at line 1 column 2 of the JSON data",
  "JSON.parse: expected property name or '}' at line 1 column 2 of the JSON data",
  "JSON.parse: expected ',' or '}' after property value in object at line 1 column 9 of the JSON data",
  "JSON.parse: end of data when ',' or ']' was expected at line 1 column 3 of the JSON data",
  "JSON.parse: unexpected non-whitespace character after JSON data at line 1 column 4 of the JSON data",
];

describe("a body that is no JSON", () => {
  test.each([...V8, ...V8_BEFORE_NODE_20, ...JAVASCRIPT_CORE, ...HERMES, ...SPIDER_MONKEY])(
    "E15b: is stream_broken in every engine's words: %s",
    (message) => {
      expect(verdict(new SyntaxError(message))).toBe("stream_broken provider retry text:not-json");
      expect(verdict(`SyntaxError: ${message}`)).toBe("stream_broken provider retry text:not-json");
      expect(verdict(new Error(message))).toBe("stream_broken provider retry text:stream-broken");
      expect(verdict(new Error("Bad answer", { cause: new SyntaxError(message) }))).toBe(
        "stream_broken provider retry text:stream-broken",
      );
    },
  );

  test.each(["", "<html>", "[1,", '{"a"', '{"a":1 x', "{a:1}", '"\\x"', "-", "1e", '{"a":1}}', "01", "upstream down"])(
    "E15b: is recognised in this engine's own words: %s",
    (text) => {
      const thrown = (() => {
        try {
          return JSON.parse(text);
        } catch (error) {
          return error;
        }
      })();
      expect(verdict(thrown)).toBe("stream_broken provider retry text:not-json");
    },
  );

  test.each(["Failed to parse JSON", "The string did not match the expected pattern."])(
    "E15b: is recognised in the words of Bun and Safari, if a SyntaxError has them: %s",
    (message) => {
      expect(verdict(new SyntaxError(message))).toBe("stream_broken provider retry text:not-json");
      expect(classify(new Error(message)).kind).not.toBe("stream_broken");
      expect(classify(new TypeError(message)).kind).toBe("unknown");
    },
  );

  test.each(["<!DOCTYPE html>", 'data: {"a":1}', "event: ping", "", "\nsecond line"])(
    "E15b: is what the OpenAI SDK looks for a field in: %j",
    (body) => {
      const message = `Cannot use 'in' operator to search for 'object' in ${body}`;
      expect(verdict(new TypeError(message))).toBe("stream_broken provider retry text:not-json");
    },
  );

  test.each(["rate limit", "Forbidden", "HTTP 404: x"])(
    "E15b: counts before what the body seems to say: %s",
    (start) => {
      const thrown = new SyntaxError(`Unexpected token 'x', "${start}" is not valid JSON`);
      expect(verdict(thrown)).toBe("stream_broken provider retry text:not-json");
    },
  );

  test("E15b: counts before what a page says, also in the AI SDK's words", () => {
    const page = "<title>Error 404</title> Login required";
    const cause = Object.assign(new Error(`JSON parsing failed: Text: ${page}`), { name: "AI_JSONParseError" });
    const thrown = Object.assign(new Error("Invalid JSON response", { cause }), {
      statusCode: 200,
      responseBody: page,
    });
    expect(verdict(thrown)).toBe("stream_broken provider retry code:AI_JSONParseError");
    expect(classify(thrown)).toMatchObject({ code: "AI_JSONParseError", status: 200 });
  });

  test.each([
    [401, "auth credential stop status:401"],
    [404, "not_found model stop status:404"],
    [429, "rate_limit credential retry status:429"],
    [502, "server provider retry status:502"],
  ])("E4: means nothing behind a failing status: %i", (status, expected) => {
    const notJson = new SyntaxError(V8[0]);
    expect(verdict(Object.assign(new Error("?", { cause: notJson }), { status }))).toBe(expected);
    expect(verdict(Object.assign(new SyntaxError(V8[0]), { status }))).toBe(expected);
    const named = Object.assign(new Error("?"), { name: "AI_JSONParseError", statusCode: status });
    expect(verdict(named)).toBe(expected);
  });

  test("E1: a code that says more comes first", () => {
    const body = 'data: {"error":{"type":"insufficient_quota"}}';
    const thrown = Object.assign(new Error("Invalid JSON response"), { name: "AI_JSONParseError", responseBody: body });
    expect(verdict(thrown)).toBe("usage_limit credential stop code:insufficient_quota");
  });

  test.each(["request ended without sending any chunks", "Bad event: invalid JSON in the stream"])(
    "E4: is stream_broken in the words of an SDK's stream: %s",
    (message) => {
      expect(verdict(new Error(message))).toBe("stream_broken provider retry text:stream-broken");
    },
  );
});

describe("a bug of the program", () => {
  const compile = (source: string) => new RegExp(source);

  test.each([
    () => new Function("{"),
    () => new Function("return <"),
    () => new Function("a b"),
    () => new Function("`"),
    () => compile("("),
    () => compile("["),
    () => BigInt("x"),
  ])("E1: stays one, although it is a SyntaxError: %s", (make) => {
    const thrown = (() => {
      try {
        return make();
      } catch (error) {
        return error;
      }
    })();
    expect(verdict(thrown)).toBe("unknown request stop program:SyntaxError");
  });

  test.each([
    new TypeError("Converting circular structure to JSON"),
    new TypeError('"x" is not valid JSON'),
    new TypeError("Cannot use 'in' operator to search for 'object' in 5"),
    new TypeError("Cannot use 'in' operator to search for 'id' in <html>"),
    new RangeError("Unexpected end of JSON input"),
  ])("E1: stays one, although it speaks of JSON: %s", (thrown) => {
    expect(verdict(thrown)).toBe(`unknown request stop program:${thrown.name}`);
  });

  test.each(["JSON parse error: Cannot deserialize value of type", "JSON parse error: Invalid UTF-8 start byte"])(
    "E4: a server's complaint about the request is none: %s",
    (message) => {
      expect(classify(message).kind).not.toBe("stream_broken");
    },
  );
});
