import { describe, expect, test } from "vitest";
import { classify, InvalidInput } from "../../../src/index.ts";

const messageOf = (context: unknown) => {
  try {
    return classify({ status: 429 }, context as object).kind;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInput);
    return (error as Error).message;
  }
};

describe("the context of classify", () => {
  test.each<[unknown, string]>([
    [null, "context must be an object; got null"],
    ["openai", 'context must be an object; got "openai"'],
    [5, "context must be an object; got 5"],
    [{ provider: 5 }, "context.provider must be a string; got 5"],
    [{ provider: null }, "context.provider must be a string; got null"],
    [{ rules: "mine" }, 'context.rules must be an array; got "mine"'],
  ])("E7: %j is the caller's mistake, and throws", (context, message) => {
    expect(messageOf(context)).toBe(message);
  });

  test.each<[unknown]>([[undefined], [{}], [{ provider: undefined, rules: undefined }], [{ provider: "", rules: [] }]])(
    "E7: %j is accepted",
    (context) => {
      expect(messageOf(context)).toBe("rate_limit");
    },
  );
});
