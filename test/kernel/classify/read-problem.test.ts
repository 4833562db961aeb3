import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { readProblem } from "../../../src/kernel/classify/read-problem.ts";

describe("the facts of a problem", () => {
  test("E1: are empty where it says nothing", () => {
    expect({ ...readProblem({}) }).toStrictEqual({
      status: undefined,
      statusDepth: Number.POSITIVE_INFINITY,
      codes: [],
      names: [],
      hasName: false,
      texts: "",
      message: undefined,
      messageDepth: -1,
      headers: [],
      quotas: "",
      retryable: undefined,
      retryDelay: undefined,
      waits: "",
      resetsAt: undefined,
      isEmptyAnswer: false,
      programError: undefined,
      layers: [],
      lead: "",
      nodes: 1,
    });
  });

  test.each([
    [new Error("x"), true],
    [{ name: "Error" }, true],
    [{ name: "" }, true],
    [{ name: 5 }, false],
    [{ error: { name: "AbortError" } }, false],
    [{ cause: new Error("x") }, false],
    ["Error: x", false],
  ])("E1: include whether the problem itself has the name of a class: %j", (problem, hasName) => {
    expect(readProblem(problem).hasName).toBe(hasName);
  });

  // What an SDK keeps in getters of its class: no loop over the properties of the instance sees it.
  const hidden = (key: string, value: unknown) => Object.create(Object.defineProperty({}, key, { get: () => value }));

  test.each([
    ["name", "TimeoutError", { kind: "timeout", code: "TimeoutError" }],
    ["message", "Too many requests", { kind: "rate_limit", message: "Too many requests" }],
    ["status", 503, { status: 503 }],
    ["statusCode", 503, { status: 503 }],
    ["code", "slow_down", { code: "slow_down" }],
    ["type", "slow_down", { code: "slow_down" }],
    ["headers", { "retry-after": "3" }, { hintMs: 3000 }],
    ["cause", { status: 503 }, { status: 503 }],
    ["errors", [{ status: 503 }], { status: 503 }],
    ["error", { status: 503 }, { status: 503 }],
    ["body", { status: 503 }, { status: 503 }],
  ])("E1: include a %s that a getter of the class gives", (key, value, expected) => {
    expect(classify(hidden(key, value))).toMatchObject(expected);
  });

  test("E1: include everything else that an error carries, and each thing once", () => {
    const error = Object.assign(new Error("x"), { code: "a", status: "b", lastError: { statusCode: 503 } });
    expect(readProblem(error)).toMatchObject({ codes: ["b", "a"], status: 503, texts: "x" });
  });

  test("E1: have only those class names and finish reasons that mean a fault", () => {
    expect(readProblem({ name: "Frobnicator", finishReason: "STOP" })).toMatchObject({ names: [], codes: [] });
    expect(readProblem({ name: "TimeoutError", finishReason: "SAFETY" })).toMatchObject({
      names: ["TimeoutError"],
      codes: ["SAFETY", "TimeoutError"],
    });
  });

  test.each([null, undefined, "retry-after: 5", 5])("E1: have no headers where there is %j", (headers) => {
    expect(readProblem({ headers }).headers).toEqual([]);
  });

  test("E1: have a flag only where it is a boolean, and the AI SDK's only where it is a yes", () => {
    expect(readProblem({ retryable: "no" }).retryable).toBeUndefined();
    expect(readProblem({ retryable: false }).retryable).toBe(false);
    expect(readProblem({ isRetryable: false }).retryable).toBeUndefined();
    expect(readProblem({ isRetryable: "yes" }).retryable).toBeUndefined();
    expect(readProblem({ isRetryable: true }).retryable).toBe(true);
  });

  test("E1: have gRPC's name for a number only beside `details` in words", () => {
    expect(readProblem({ code: 8, details: "x" }).codes).toEqual(["8", "RESOURCE_EXHAUSTED"]);
    expect(readProblem({ code: 8, details: [] }).codes).toEqual(["8"]);
    expect(readProblem({ code: "8", details: "x" }).codes).toEqual(["8"]);
  });
});

describe("the status", () => {
  test.each([100, 599])("E1: may be %i", (status) => {
    expect(readProblem({ code: status })).toMatchObject({ status, codes: [] });
  });

  test.each([99, 600])("E1: is not %i, which is a code", (code) => {
    expect(readProblem({ code })).toMatchObject({ status: undefined, codes: [String(code)] });
  });

  test("E1: is the first of two at the same level", () => {
    expect(readProblem({ status: 500, statusCode: 503 }).status).toBe(500);
  });

  test("E1: is a 400 further in rather than a 200", () => {
    expect(readProblem({ status: 200, body: { code: 400 } }).status).toBe(400);
  });

  test("E1: is the outer one, also where the inner one stands first and in a text", () => {
    expect(readProblem({ body: '{"status":400}', status: 503 }).status).toBe(503);
  });

  test.each(["429x", "4290", "E429", "329", "42"])("E1: is not the code %s", (code) => {
    expect(readProblem({ code })).toMatchObject({ status: undefined, codes: [code] });
  });

  test("E1: is the code 429, which then is no code", () => {
    expect(readProblem({ code: "429" })).toMatchObject({ status: 429, codes: [] });
  });
});

describe("the texts", () => {
  test("E1: keep the order of reading, without immediate repetitions", () => {
    expect(readProblem({ message: "a", error: { message: "a" } }).texts).toBe("a");
    expect(readProblem({ message: "a", error: { message: "b", error: { message: "a" } } }).texts).toBe("a\nb\na");
  });

  test("E2: the later of two messages at the same level is the message", () => {
    expect(readProblem({ message: "a", msg: "b" }).message).toBe("b");
  });

  test("E2: the deepest message is the message, also when it stands in a list before the others", () => {
    expect(readProblem({ errors: [{ message: "inner" }], message: "outer" }).message).toBe("inner");
  });

  test("E2: an empty message is none", () => {
    expect(readProblem({ message: "" }).message).toBeUndefined();
    expect(readProblem({ message: "outer", error: { message: "" } })).toMatchObject({
      message: "outer",
      texts: "outer",
    });
  });

  test.each(['{"error":{"message":"inner"}}', ' \n {"error":{"message":"inner"}}', '[{"message":"inner"}]'])(
    "E2: the message is inside what is wholly JSON: %j",
    (text) => {
      expect(readProblem(text).message).toBe("inner");
    },
  );
});

describe("a text that is printed as a JSON string", () => {
  test.each([
    ['"a \\"b\\" c"', 'a "b" c'],
    ['"one" and "two"', '"one" and "two"'],
    ['"a"\n', "a"],
    ['"cut', '"cut'],
    ['cut"', 'cut"'],
    ["null", "null"],
    ["5", "5"],
  ])("E2: is read without its quotes, if it is one: %s", (text, message) => {
    expect(readProblem(text).message).toBe(message);
  });

  test("E7: is read as it is beyond 32,768 characters", () => {
    const [fits, longer] = [32_766, 32_767].map((chars) => `"${"x".repeat(chars)}"`);
    expect(readProblem(fits).message).toBe("x".repeat(32_766));
    expect(readProblem(longer).message).toBe(longer);
  });
});

describe("a text under an unknown key", () => {
  const sentence = "Twelve chars";

  test.each<[string, object, string]>([
    ["twelve characters", { note: sentence }, sentence],
    ["eleven characters", { note: sentence.slice(1) }, ""],
    ["beside a number and a list", { a: 5, b: [1], c: null, note: sentence }, sentence],
    ["as the eighth key", { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, note: sentence }, sentence],
    ["as the ninth key", { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, note: sentence }, ""],
    ["beside a message", { message: "x", note: sentence }, "x"],
    ["beside a name that means a fault", { name: "TimeoutError", note: sentence }, ""],
    ["beside a code that is known", { code: "rate_limit_exceeded", note: sentence }, ""],
    ["beside a code that is not", { code: "a", note: sentence }, sentence],
  ])("E1: is read where nothing else says anything: %s", (_, problem, texts) => {
    expect(readProblem(problem).texts).toBe(texts);
    expect(readProblem({ body: problem }).texts).toBe(texts);
  });
});

describe("fields of single SDKs and proxies", () => {
  test.each<[object, number | undefined]>([
    [{ statusCode: 500 }, 500],
    [{ statusCode: 500, isRetryable: true }, 500],
    [{ statusCode: 500, isRetryable: false }, undefined],
    [{ statusCode: 503, isRetryable: false }, 503],
    [{ statusCode: 400, isRetryable: false }, 400],
  ])("E1: the AI SDK's own 500 is no status: %j", (problem, status) => {
    expect(readProblem(problem).status).toBe(status);
  });

  const oneApi = (message: string, param: unknown, code = "bad_response_status_code") => ({ code, message, param });

  test.each<[object, number | undefined]>([
    [oneApi("", "429"), 429],
    [oneApi(" ", "429"), 429],
    [oneApi("(request id: 1)", "429"), 429],
    [oneApi("  (request id: 1)", "429"), 429],
    [oneApi("No such thing (request id: 1)", "429"), undefined],
    [oneApi("", "429", "other"), undefined],
    [oneApi("", 429), undefined],
  ])("E1: one-api's upstream status counts where it says nothing else: %j", (problem, status) => {
    expect(readProblem(problem).status).toBe(status);
  });

  test.each<[object, string]>([
    [{ quotaValue: 0 }, "limit: 0 "],
    [{ quotaValue: "0" }, "limit: 0 "],
    [{ quota_limit_value: "0" }, "limit: 0 "],
    [{ quotaValue: "50" }, ""],
    [{ quotaId: "a", quota_limit: "b" }, "a b "],
  ])("B2: a quota of nothing is one: %j", (problem, quotas) => {
    expect(readProblem(problem).quotas).toBe(quotas);
  });

  test("E6: a delay counts where it is one", () => {
    expect(readProblem({ quotaResetDelay: "5s" }).retryDelay).toBe("5s");
    expect(readProblem({ retryDelay: "5s" })).toMatchObject({ retryDelay: undefined, waits: "retrydelay: 5s\n" });
  });

  test("E2: a message further in is the message, whichever is read first", () => {
    expect(readProblem({ cause: "inner", message: "outer" }).message).toBe("inner");
    expect(readProblem({ message: { message: "inner" }, msg: "outer" }).message).toBe("inner");
  });
});
