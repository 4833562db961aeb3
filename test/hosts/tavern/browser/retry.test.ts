import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

test("T2: the default retries of immediate failures start at 1000, 2500 and 4750 ms", async () => {
  const tavern = await openTavern();
  await tavern.always({ do: "fail", text: "Internal Server Error" });
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 1000, 2500, 4750]);
  expect(await tavern.outcome(call)).toEqual({
    state: "rejected",
    message: "Internal Server Error",
    isPagesError: true,
    atMs: 4750,
  });
  expect(await tavern.toasts()).toEqual(["Auto-retry failed after 3 attempts"]);
});

test("T2: retries the host's error texts and rejects with the last one unchanged", async () => {
  const texts = [
    "Internal Server Error",
    "Service Unavailable",
    "Got response status 500",
    "Got response status 503",
    "Connection refused: connect ECONNREFUSED 127.0.0.1:5001",
    "Generate method error: Error: HTTP 502: request to http://x failed, reason: socket hang up",
    "Unknown error occurred",
    "",
  ];
  const tavern = await openTavern({ stored: { maxRetries: 1 } });
  for (const text of texts) {
    await tavern.play({ do: "fail", text }, { do: "fail", text, as: "text" });
    const call = await tavern.ask();
    await tavern.advance(5000);
    // A plain string, not an Error.
    expect(await tavern.outcome(call), text).toMatchObject({ state: "rejected", message: text, isPagesError: false });
  }
  expect(await tavern.calls()).toHaveLength(2 * texts.length);
});

test("T2: every attempt sends the original request, even if the object has changed meanwhile", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "fail", text: "Service Unavailable" });
  await tavern.page.evaluate(async () => {
    const { events, clock, windowOf } = window.tavern;
    // Listeners may change a request before the host reads it.
    events.on("js_generation_requested", (_id, _name, config) => {
      (config as { injects: unknown[] }).injects.push({ content: "added" });
    });
    const config = { user_input: "first", injects: [{ content: "own" }], image: new File(["x"], "x.png") };
    const { generate } = windowOf("other") as unknown as { generate(config: object): Promise<unknown> };
    const answer = generate(config);
    await clock.advance(500);
    config.user_input = "second";
    config.injects.length = 0;
    await clock.advance(500);
    await answer;
  });
  const sent = { user_input: "first", injects: [{ content: "own" }, { content: "added" }] };
  expect((await tavern.calls()).map(({ config }) => config)).toMatchObject([sent, sent]);
  const areFiles = await tavern.page.evaluate(() =>
    window.tavern.calls.map(({ config }) => config.image instanceof File),
  );
  expect(areFiles).toEqual([true, true]);
});

test("T3: waits 30 s when rate limited, with a toast", async () => {
  const tavern = await openTavern();
  const texts = ["Too Many Requests", "Got response status 429", "Generate method error: Error: HTTP 429: {}"];
  for (const [index, text] of texts.entries()) {
    await tavern.play({ do: "fail", text });
    const call = await tavern.ask();
    await tavern.advance(29_999);
    expect(await tavern.toasts(), text).toContain("Rate limited. Waiting 30s...");
    expect(await tavern.calls()).toHaveLength(2 * index + 1);
    await tavern.advance(1);
    expect(await tavern.outcome(call)).toMatchObject({ value: "a good answer", atMs: (index + 1) * 30_000 });
    expect(await tavern.toasts()).toContain("Auto-retry succeeded on attempt 1");
    expect(await tavern.toasts()).not.toContain("Rate limited. Waiting 30s...");
  }
});

test("T3: waits for a longer hint in the error's text, but not for a shorter one", async () => {
  const tavern = await openTavern();
  const limited = (wait: string) => `Generate method error: Error: HTTP 429: {"error":"try again in ${wait}"}`;
  await tavern.play({ do: "fail", text: limited("45s") }, { do: "fail", text: limited("2s") });
  await tavern.ask();
  await tavern.advance(1000);
  expect(await tavern.toasts()).toEqual(["Rate limited. Waiting 45s..."]);
  await tavern.advance(100_000);
  expect(await tavern.startedAt()).toEqual([0, 45_000, 75_000]);
});

test("T3: a hint beyond 5 minutes fails at once, or goes to the fallback model at once", async () => {
  const text = 'Generate method error: Error: HTTP 429: {"error":"try again in 5m1s"}';
  const tavern = await openTavern();
  await tavern.play({ do: "fail", text });
  const call = await tavern.ask();
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: text, isPagesError: true, atMs: 0 });
  expect(await tavern.toasts()).toEqual([]);

  const model = { apiurl: "https://a.example/v1", key: "", model: "spare", source: "openai" };
  const chained = await openTavern({ stored: { fallbackModelsEnabled: true, fallbackModels: [model] } });
  await chained.play({ do: "fail", text });
  const carried = await chained.ask();
  await chained.settle();
  expect(await chained.outcome(carried)).toMatchObject({ state: "resolved", atMs: 0 });
  expect(
    (await chained.calls()).map(({ config }) => (config.custom_api as { model: string } | undefined)?.model),
  ).toEqual([undefined, "spare"]);
});

test("T3: counts rate limits separately from other failures", async () => {
  const tavern = await openTavern({ stored: { maxRetries: 1, rateLimitMaxRetries: 2, rateLimitDelayMs: 1000 } });
  const [limit, fault] = ["Too Many Requests", "Internal Server Error"].map((text) => ({ do: "fail" as const, text }));
  if (limit === undefined || fault === undefined) throw new Error("unreachable");
  await tavern.play(limit, fault, limit, limit, limit);
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 1000, 2000, 3000]);
  expect(await tavern.outcome(call)).toMatchObject({ message: "Too Many Requests" });
});

test("T13b: a plain 4xx is not retried", async () => {
  const tavern = await openTavern();
  const texts = [
    "Bad Request",
    "Unauthorized",
    "Forbidden",
    "Not Found",
    "Payment Required",
    "Unprocessable Entity",
    "Method Not Allowed",
    "Not Acceptable",
    "Gone",
    "Content Too Large",
    "Unsupported Media Type",
    "Unavailable For Legal Reasons",
    "Request Timeout",
    "Conflict",
    "Failed Dependency",
    "Too Early",
    "Got response status 400",
    "Got response status 404",
    "Got response status 408",
    "Got response status 409",
    "Generate method error: Error: HTTP 408: {}",
    "Generate method error: Error: HTTP 400: {}",
  ];
  for (const [index, text] of texts.entries()) {
    await tavern.play({ do: "fail", text });
    const call = await tavern.ask();
    await tavern.advance(40_000);
    expect(await tavern.calls(), text).toHaveLength(index + 1);
    expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: text, isPagesError: true });
  }
  expect(await tavern.toasts()).toEqual([]);
});

test("T6: retries an answer without the required text after the usual wait", async () => {
  const tavern = await openTavern({ stored: { requiredContentEnabled: true, requiredContentPattern: "```json" } });
  await tavern.play(
    { do: "answer", text: "sorry" },
    { do: "answer", text: "" },
    { do: "answer", text: "```json\n{}```" },
  );
  const call = await tavern.ask();
  await tavern.advance(999);
  expect(await tavern.toasts()).toEqual(["Response missing required content. Retrying..."]);
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 1000, 2500]);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", value: "```json\n{}```" });
});

test("T6: rejects if every answer lacks the required text", async () => {
  const tavern = await openTavern({
    stored: { requiredContentEnabled: true, requiredContentPattern: "end", maxRetries: 1 },
  });
  await tavern.always({ do: "answer", text: "cut of" });
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.outcome(call)).toMatchObject({
    state: "rejected",
    message: "The answer lacks the required content",
    isPagesError: true,
  });
});

test("T6: checks a pattern in a worker, so that a slow one does not block the chat", async () => {
  const tavern = await openTavern({
    clock: "real",
    stored: {
      requiredContentEnabled: true,
      requiredContentIsRegex: true,
      requiredContentPattern: '\\{"status":\\s*"\\w+"\\}',
      retryDelayMs: 100,
    },
  });
  await tavern.page.evaluate(() => {
    const frame = window.tavern.windowOf("secondwind") as unknown as { Worker: typeof Worker; workers?: number };
    const { Worker: Real } = frame;
    frame.workers = 0;
    frame.Worker = class extends Real {
      constructor(url: string | URL) {
        super(url);
        frame.workers = (frame.workers ?? 0) + 1;
      }
    };
  });
  await tavern.play({ do: "answer", text: "no" }, { do: "answer", text: 'yes: {"status": "ok"}' });
  const call = await tavern.ask();
  expect(await tavern.ended(call)).toMatchObject({ value: 'yes: {"status": "ok"}' });
  expect(await tavern.calls()).toHaveLength(2);
  expect(await tavern.page.evaluate(() => window.tavern.windowOf("secondwind").workers)).toBe(1);
});

test("T6: a pattern between slashes has flags", async () => {
  const tavern = await openTavern({
    clock: "real",
    stored: {
      requiredContentEnabled: true,
      requiredContentIsRegex: true,
      requiredContentPattern: "/^the end$/im",
      retryDelayMs: 100,
    },
  });
  await tavern.play({ do: "answer", text: "not the end" }, { do: "answer", text: "Once.\nThe End" });
  const call = await tavern.ask();
  expect(await tavern.ended(call)).toMatchObject({ value: "Once.\nThe End" });
  expect(await tavern.calls()).toHaveLength(2);
});

test("T6: an unusable stored pattern disables the check, not the retries, and a toast says so", async () => {
  const tavern = await openTavern({
    stored: { requiredContentEnabled: true, requiredContentIsRegex: true, requiredContentPattern: "(?=x)" },
  });
  expect(await tavern.toasts()).toEqual([
    "Secondwind does not check answers for required content: the stored pattern uses a look-ahead, (?=…), which cannot be checked in bounded time. Write it without.",
  ]);
  await tavern.play({ do: "fail", text: "Service Unavailable" });
  const call = await tavern.ask();
  await tavern.advance(5000);
  expect(await tavern.outcome(call)).toMatchObject({ value: "a good answer", atMs: 1000 });
  const bad = await openTavern({
    stored: { requiredContentEnabled: true, requiredContentIsRegex: true, requiredContentPattern: "/a/x" },
  });
  expect(await bad.toasts()).toEqual([expect.stringContaining('has the flag "x", but only i, m and s are possible.')]);
  // Not in use: nothing to report.
  const off = await openTavern({ stored: { requiredContentIsRegex: true, requiredContentPattern: "(?=x)" } });
  expect(await off.toasts()).toEqual([]);
});

test("T6: a disabled script reports an unusable stored pattern only when it is enabled", async () => {
  const tavern = await openTavern({
    stored: {
      enabled: false,
      requiredContentEnabled: true,
      requiredContentIsRegex: true,
      requiredContentPattern: "(?=x)",
    },
  });
  expect(await tavern.toasts()).toEqual([]);
  await tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  expect(await tavern.toasts()).toEqual(
    expect.arrayContaining([expect.stringContaining("does not check answers"), "Auto-Retry Enabled"]),
  );
});

test("T6, T9: returns an answer with a tool call and no text unchecked", async () => {
  const tavern = await openTavern({ stored: { requiredContentEnabled: true, requiredContentPattern: "x" } });
  await tavern.play({ do: "call-tool" });
  const call = await tavern.ask();
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({ value: { content: "", tool_calls: [{ id: "1" }] } });
});

test("T9: accepts an empty answer if no content is required", async () => {
  const tavern = await openTavern();
  await tavern.play({ do: "answer", text: "" });
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", value: "" });
  expect(await tavern.calls()).toHaveLength(1);
});
