import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli, startCli } from "../../support/run-cli.ts";

const json = (text: string): unknown => JSON.parse(text);

describe("B1: secondwind why, as a process", () => {
  test("B1: explains options", async () => {
    const { code, out, err } = await runCli([
      "why",
      "--status",
      "429",
      "--header",
      "Retry-After: 30",
      "--provider",
      "openai",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Rate limit · HTTP 429 · openai");
    expect(out).toContain("yes, about 30 s");
  });

  test("B1: options do not wait for a pipe without data", async () => {
    const { child, end } = startCli(["why", "--status", "503", "--json"]);
    const { code, out } = await end;
    child.stdin.destroy();
    expect(code).toBe(0);
    expect(json(out)).toMatchObject({ kind: "overloaded", hintMs: null });
  });

  test("B1: combines a piped body with the options", async () => {
    const { out } = await runCli(
      ["why", "--status", "400", "--json"],
      '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}',
    );
    expect(json(out)).toMatchObject({ kind: "context_overflow" });
  });

  test("B1: explains a piped response as JSON with exactly the documented fields", async () => {
    const { code, out } = await runCli(["why", "--json"], "HTTP/1.1 529 X\nretry-after: 3\n\n{}");
    expect(code).toBe(0);
    expect(out).toBe(
      '{"kind":"overloaded","scope":"model","retryable":true,"hintMs":3000,"evidence":"status:529","confidence":"certain"}\n',
    );
  });

  test("B1: explains a text given as arguments", async () => {
    const { code, out } = await runCli(["why", "connect", "ECONNREFUSED", "127.0.0.1:443"]);
    expect(code).toBe(0);
    expect(out).toContain("Connection failed");
    expect(out).toContain("else the network");
  });

  test("B1: never prints a secret or an escape", async () => {
    const { out } = await runCli(
      ["why"],
      "HTTP/1.1 401 No\nauthorization: Bearer tops3cretvalue\n\n\u001b[31mBad key sk-tops3cretvalue\u0007",
    );
    expect(out).not.toContain("tops3cret");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test("B1: accepts a body of 10 MB", async () => {
    const body = JSON.stringify({
      error: { type: "overloaded_error", message: "Overloaded", echo: "y".repeat(10_000_000) },
    });
    const { code, out } = await runCli(["why", "--json"], body);
    expect(code).toBe(0);
    expect(json(out)).toMatchObject({ kind: "overloaded" });
  });

  test.each([
    [["why", "--status", "abc"], '--status must be a whole number from 100 to 599; got "abc"'],
    [["why", "--status", "99"], "--status must be a whole number from 100 to 599; got 99"],
    [["why", "--status", "-1"], '--status must be a whole number from 100 to 599; got "-1"'],
    [["why", "--header", "no colon"], '--header must be "name: value", such as "retry-after: 30"; got "no colon"'],
    [["why", "--header", "bad name: x"], "--header must be"],
    [["why", "--provider", " "], "--provider must be a name"],
    [["why", "text", "--body", "x"], "--body must be omitted when the error is given as text"],
    [["why", "--jsonl", "--status", "429"], "--jsonl must be used with stdin as the only source"],
    [["why", "--status"], "argument missing"],
    [["why", "--stats", "429"], "(Did you mean --status?)"],
    [["wyh"], "(Did you mean why?)"],
    [["demo", "extra"], "too many arguments"],
    [["why"], "Nothing to explain."],
  ])("B1: %j is a usage error", async (args, message) => {
    const { code, out, err } = await runCli(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  test("B1: masks a secret in the message about an invalid option", async () => {
    const { err } = await runCli(["why", "--header", "Bearer sk-tops3cretvalue"]);
    expect(err).toContain("--header must be");
    expect(err).not.toContain("tops3cret");
  });
});

describe("B1: many at once", () => {
  test("B1: writes one result per line, in order, and continues after invalid lines", async () => {
    const input = [
      '{"status":429,"headers":{"retry-after":"2"}}',
      "not json",
      '{"status":"x"}',
      "",
      '{"body":"Overloaded","status":null,"kind":"extra fields are ignored"}',
      "[1]",
      '{"statsu":429}',
      '{"status":401}',
    ].join("\r\n");
    const { code, out } = await runCli(["why", "--jsonl"], input);
    expect(code).toBe(1);
    expect(out.trim().split("\n").map(json)).toEqual([
      {
        kind: "rate_limit",
        scope: "credential",
        retryable: true,
        hintMs: 2000,
        evidence: "status:429",
        confidence: "certain",
      },
      { error: 'line 2: the line must be one JSON object; got "not json"' },
      { error: 'line 3: status must be a whole number from 100 to 599; got "x"' },
      expect.objectContaining({ kind: "overloaded" }),
      { error: "line 6: the line must be an object; got an array" },
      {
        error: "line 7: the line must be an object with at least one of provider, status, headers, body; got an object",
      },
      expect.objectContaining({ kind: "auth" }),
    ]);
  });

  test("B1: writes the result of a line before the next line comes", async () => {
    const { child, end, said } = startCli(["why", "--jsonl"]);
    child.stdin.write('{"status":429}\n');
    await said("rate_limit");
    child.stdin.end('{"status":401}\n');
    expect((await end).code).toBe(0);
  });

  test("B1: --report prints one line for the corpus, without secrets, and how to send it in", async () => {
    const key = `sk-proj-${"a1B2".repeat(10)}`;
    const { code, out, err } = await runCli(["why", "--report", "-p", "groq", "-s", "429"], `Rate limit for ${key}`);
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(json(out)).toMatchObject({ seen: false, provider: "groq", status: 429, kind: "rate_limit", source: "" });
    expect(out).not.toContain(key);
    expect(err).toContain("Correct kind, scope, retryable and hintMs");
    expect((await runCli(["why", "--report", "--json", "x"])).code).toBe(2);
  });

  test("B1: gives the same results as the classifier for the recorded errors, in order", async () => {
    const input = readFileSync(new URL("../../../corpus/given.jsonl", import.meta.url), "utf8");
    const wanted = input
      .trim()
      .split("\n")
      .map((line) => json(line) as { kind: string });
    const { code, out } = await runCli(["why", "--jsonl"], input);
    const got = out
      .trim()
      .split("\n")
      .map((line) => json(line) as { kind: string });
    expect(code).toBe(0);
    expect(got).toHaveLength(wanted.length);
    const agreed = got.filter(({ kind }, index) => kind === wanted[index]?.kind).length;
    expect(agreed / wanted.length).toBeGreaterThan(0.95);
  });

  test("B1: a large input stays in order", async () => {
    const statuses = Array.from({ length: 50_000 }, (_, index) => 400 + (index % 200));
    const { out } = await runCli(["why", "--jsonl"], statuses.map((status) => `{"status":${status}}\n`).join(""));
    const evidence = out
      .trim()
      .split("\n")
      .map((line) => (json(line) as { evidence: string }).evidence);
    expect(evidence).toEqual(statuses.map((status) => `status:${status}`));
  });

  test("B1: ends quietly when its reader leaves", async () => {
    const { child, end } = startCli(["why", "--jsonl"]);
    child.stdout.destroy();
    child.stdin.end('{"status":429}\n'.repeat(100_000));
    expect(await end).toMatchObject({ code: 0, err: "" });
  });
});

describe("B1: the program's help", () => {
  test.each([[["--help"]], [[]], [["help"]]])("B1: %j prints commands, examples and exit codes", async (args) => {
    const { code, out } = await runCli(args);
    expect(code).toBe(0);
    for (const part of ["why", "demo", "Examples:", "Exit codes:", "130"]) expect(out).toContain(part);
  });

  test("B1: --version is the package's", async () => {
    const manifest = json(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await runCli(["--version"])).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" });
  });
});
