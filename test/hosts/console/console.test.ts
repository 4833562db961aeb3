import { describe, expect, test } from "vitest";
import { calls, emits, type Piece, partly, says, throws } from "../../support/scripted-provider.ts";
import { ConsoleWorld, ScriptedInput } from "./console-world.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe("the console's retries", () => {
  test("C1: waits 1, 2, 3, 5, 5 seconds and retries until the answer arrives", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", ...times(6, emits(503)), says("Here ", "I am."));
    expect(await world.run(new ScriptedInput(["Hello"]))).toBe(0);
    expect(provider.startedAt.map((at) => at / 1000)).toEqual([0, 1, 3, 6, 11, 16, 21]);
    expect(world.out).toContain("Here I am.\n");
  });

  test("C1: still retries after a thousand failures, without a growing stack", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", ...times(1000, emits(502)), says("At last."));
    expect(await world.run(new ScriptedInput(["Hello"]))).toBe(0);
    expect(provider.requests).toHaveLength(1001);
    expect(world.out).toContain("At last.\n");
  });

  test("C3: warns in yellow before waits over three seconds, with the promised words, and not before shorter ones", async () => {
    const world = new ConsoleWorld();
    world.hasColours = true;
    world.provider("acme", ...times(4, emits(502)), says("Yes."));
    await world.run(new ScriptedInput(["Hello"]));
    expect(world.err).toBe(
      "\u001b[33m⚠️  API request failed (502 Bad Gateway), retrying in 5 seconds... (attempt 4)\u001b[39m\n" +
        "\u001b[33m   Press Ctrl-C to cancel\u001b[39m\n",
    );
    // Before the wait, not after it.
    expect(world.warnedAt).toEqual([6000, 6000]);
  });

  test("C3: a final error is soft red, and the prompt is back", async () => {
    const world = new ConsoleWorld();
    world.hasColours = true;
    world.provider("acme", emits(401, "invalid x-api-key"), says("Yes."));
    const input = new ScriptedInput(["Hello", "And now?"]);
    await world.run(input);
    expect(world.err).toBe("\u001b[91mAPI request failed (401 Unauthorized): invalid x-api-key\u001b[39m\n");
    expect(world.out).toContain("Yes.\n");
    expect(input.prompts).toBe(3);
  });

  test.each([
    ["a refused connection", throws(refused), "Connection failed, ECONNREFUSED"],
    ["Anthropic's own 529", emits(529), "529 Overloaded"],
    ["a timeout", throws(Object.assign(new Error("slow"), { code: "ETIMEDOUT" })), "Timeout, ETIMEDOUT"],
  ])("C3: says what failed: %s", async (_, failure, words) => {
    const world = new ConsoleWorld();
    world.provider("acme", ...times(4, failure), says("Yes."));
    await world.run(new ScriptedInput(["Hello"]));
    expect(world.err).toContain(`⚠️  API request failed (${words}), retrying in 5 seconds... (attempt 4)\n`);
  });

  test("C2: an answer that is cut after it began to print is an error and is not retried", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", partly("Half an ans", ...emits(502)), says("Another."));
    await world.run(new ScriptedInput(["Hello"]));
    expect(provider.requests).toHaveLength(1);
    expect(world.out).toMatch(/Half an ans\n$/);
    expect(world.err).toContain("(the answer is cut)");
  });

  test.each<readonly [string, Piece[], string]>([
    [
      "length",
      partly("Half", { type: "finish", reason: "length" }),
      "Incomplete answer: the model reached its output limit",
    ],
    [
      "the filter",
      partly("Half", { type: "finish", reason: "content-filter" }),
      "Incomplete answer: stopped by the content filter",
    ],
    ["a tool", partly("Let me see", ...calls(["1", "look"])), "Incomplete answer: the model requested a tool"],
    ["a tool alone", calls(["1", "look"]), "No answer: the model requested a tool, but no tools are available here"],
    [
      "the filter, at once",
      [
        { type: "usage", inputTokens: 9, outputTokens: 0 },
        { type: "finish", reason: "content-filter" },
      ],
      "No answer: blocked by the content filter",
    ],
    [
      "thoughts",
      [
        { type: "reasoning", text: "Hm" },
        { type: "finish", reason: "end" },
      ],
      "No answer: the model returned no text",
    ],
  ])(
    "C2: an answer that ends in %s is reported and fails the pipe, and the next question still works",
    async (_, pieces, words) => {
      const world = new ConsoleWorld();
      const provider = world.provider("acme", pieces, says("Whole."));
      expect(await world.run(new ScriptedInput(["Hello", "And now?"], false))).toBe(1);
      expect(world.err).toContain(words);
      expect(world.out).toContain("Whole.\n");
      // A call without a result, or an answer without content, would be refused by every provider.
      const told = provider.requests[1]?.messages ?? [];
      expect(JSON.stringify(told)).not.toContain("tool-call");
      expect(told.filter((message) => message.role === "assistant" && message.parts.length === 0)).toEqual([]);
    },
  );

  test("C2: an empty answer is retried three times, then reported, because each attempt is paid for", async () => {
    const world = new ConsoleWorld();
    const empty: Piece[] = [
      { type: "error", code: "empty_response", message: "The answer has no content", retryable: true },
    ];
    const provider = world.provider("acme", empty);
    expect(await world.run(new ScriptedInput(["Hello"], false))).toBe(1);
    expect(provider.startedAt.map((at) => at / 1000)).toEqual([0, 1, 3, 6]);
    expect(world.err).toBe("API request failed (Broken stream, empty_response): The answer has no content\n");
  });

  test("C3: a cut stream is not called 200 OK, neither in the error nor in /info", async () => {
    const world = new ConsoleWorld();
    const cut: Piece = { type: "error", status: 200, code: "ECONNRESET", message: "aborted", retryable: true };
    world.provider("acme", partly("Half", cut));
    await world.run(new ScriptedInput(["Hello", "/info"]));
    expect(world.err).toBe("API request failed (Connection failed, ECONNRESET): aborted (the answer is cut)\n");
    expect(world.out).toContain("  network                 1 failure, not retried\n");
  });

  test("C5: /config changes the longest wait and silences the warnings, from the next exchange on", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", ...times(6, emits(502)), says("Yes."));
    await world.run(
      new ScriptedInput(["/config api_retry_max_delay 8", "/config api_retry_show_warnings false", "Hi"]),
    );
    expect(provider.startedAt.map((at) => at / 1000)).toEqual([0, 1, 3, 6, 11, 19, 27]);
    expect(world.err).toBe("");
    expect(await world.store.config.get("api_retry_max_delay")).toBe(8);
  });

  test("C5: an invalid value or an unknown key prints what is allowed; default resets", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("Yes."));
    const lines = ["/config api_retry_max_delay 0", "/config nope", "/config api_retry_show_warnings false"];
    await world.run(new ScriptedInput([...lines, "/config api_retry_show_warnings default"]));
    expect(world.err).toContain("api_retry_max_delay must be a number from 1 to 3600");
    expect(world.err).toContain("config key must be one of api_retry_max_delay");
    expect(world.out).toContain("api_retry_show_warnings = true (default)");
  });

  test("C9: with the breaker on, a provider that keeps failing is cut off, and then probed", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", ...times(8, emits(503)), says("Back."));
    await world.run(new ScriptedInput(["/config api_circuit_breaker true", "Hello"]));
    expect(world.err).toMatch(/⚠️ {2}API unavailable \(circuit breaker triggered\), retrying in \d+ seconds\.\.\.\n/);
    expect(world.out).toContain("Back.\n");
    expect(provider.requests).toHaveLength(9);
  });

  test("C10: with adaptive waits on, retries leave experience behind", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(503), says("Yes."));
    await world.run(new ScriptedInput(["/config api_retry_adaptive true", "Hello"]));
    expect(await world.store.experience.list()).toMatchObject([{ provider: "acme", status: "503", successes: 1 }]);
  });
});

describe("the console's warnings over a long outage", () => {
  async function warnings(status: number, failures: number, name = "anthropic"): Promise<string[]> {
    const world = new ConsoleWorld();
    world.provider(name, ...times(failures, emits(status)), says("Yes."));
    await world.run(new ScriptedInput(["Hello"]));
    return world.err.split("⚠️  ").slice(1);
  }

  test("C8: attempts to 10 are plain, to 30 hint at a longer outage, then the status page is named", async () => {
    const said = await warnings(502, 40);
    const byAttempt = new Map(said.map((text) => [Number(/attempt (\d+)/.exec(text)?.[1]), text]));
    for (let attempt = 4; attempt <= 10; attempt++) expect(byAttempt.get(attempt)?.split("\n")).toHaveLength(3);
    for (let attempt = 11; attempt <= 30; attempt++) {
      expect(byAttempt.get(attempt)).toContain("Taking longer than usual; the provider may have an outage");
    }
    for (let attempt = 31; attempt <= 40; attempt++) {
      expect(byAttempt.get(attempt)).toContain("This looks like an outage: see https://status.anthropic.com");
    }
    expect(byAttempt.size).toBe(37);
  });

  test("C8: a provider without a known page is still sent to its page", async () => {
    expect((await warnings(502, 31, "my-box")).at(-1)).toContain("see the provider's status page");
  });

  test("C8: repeated 429 suggests the quota", async () => {
    const said = await warnings(429, 6);
    expect(said.map((text) => text.includes("check your quota"))).toEqual([false, true, true]);
  });

  test("C8: repeated 429 escalates like any other outage, with the quota beside it", async () => {
    const said = await warnings(429, 40);
    const lines = (attempt: number): string[] | undefined =>
      said.find((text) => text.includes(`(attempt ${attempt})`))?.split("\n");
    const quota = "   Repeated rate limits: check your quota and plan";
    expect(lines(10)?.slice(2)).toEqual([quota, ""]);
    expect(lines(11)?.slice(2)).toEqual([expect.stringContaining("Taking longer than usual"), quota, ""]);
    expect(lines(30)?.slice(2)).toEqual([expect.stringContaining("Taking longer than usual"), quota, ""]);
    expect(lines(31)?.slice(2)).toEqual([expect.stringContaining("https://status.anthropic.com"), quota, ""]);
  });
});

describe("a person at the console", () => {
  test("C4: Ctrl-C during a wait ends the exchange at once, stores it as failed and brings the prompt back", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", ...times(5, emits(502, "HTTP 502: bad")), says("Yes."));
    const input = new ScriptedInput(["Hello", "Again"]);
    const running = world.start(input);
    await world.time.advance(8000);
    expect(provider.requests).toHaveLength(4);
    input.ear?.interrupt();
    const endedAt = world.time.nowMs;
    await world.time.settle();
    expect(await world.kept()).toMatchObject([
      { role: "user", content: "Hello" },
      { role: "assistant", parts: [], stopReason: "error", errorMessage: "Cancelled: HTTP 502: bad" },
      { role: "user", content: "Again" },
    ]);
    expect(world.time.nowMs).toBe(endedAt);
    expect(world.err).toContain("Cancelled\n");
    expect(input.prompts).toBe(2);
    await world.time.until(running);
    expect(world.out).toContain("Yes.\n");
  });

  test("C4: Ctrl-C in the middle of an answer closes the stream and stores the partial answer", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", partly("Once upon", { type: "hang" }));
    const input = new ScriptedInput(["Hello"]);
    const running = world.start(input);
    await world.time.settle();
    input.ear?.interrupt();
    expect(await world.time.until(running)).toBe(0);
    expect(provider.closed).toBe(1);
    expect((await world.kept())[1]).toMatchObject({ stopReason: "aborted", parts: [{ text: "Once upon" }] });
  });

  test("C4: Ctrl-C at the prompt leaves", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("Yes."));
    const input = new ScriptedInput([{ type: "interrupt" }, "Hello"]);
    expect(await world.run(input)).toBe(0);
    expect(input.prompts).toBe(1);
  });

  test("B8: Enter during a wait retries now; a typed line is queued", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", ...times(4, emits(502)), says("Yes."));
    const input = new ScriptedInput(["Hello"]);
    const running = world.start(input);
    await world.time.advance(7000);
    expect(input.ear?.line("something typed ahead")).toBe(false);
    expect(input.ear?.line("")).toBe(true);
    await world.time.until(running);
    expect(provider.startedAt.map((at) => at / 1000)).toEqual([0, 1, 3, 6, 7]);
  });

  test("B8: an empty line of a pipe is no key", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(502), says("Yes."));
    const input = new ScriptedInput(["Hello"], false);
    const running = world.start(input);
    await world.time.advance(500);
    expect(input.ear?.line("")).toBe(false);
    await world.time.until(running);
  });

  test("C7: /info shows retries, success rate after retry, mean retry time, and each status", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(502), emits(429), says("Yes."), emits(429), emits(401), says("Fine."));
    await world.run(new ScriptedInput(["One", "Two", "Three", "/info"]));
    expect(world.out.slice(world.out.indexOf("Exchanges")).split("\n")).toEqual([
      "Exchanges                 3",
      "Retries this session      3",
      "Success rate after retry  50 % (1 of 2)",
      "Mean retry time           1.3 s per retry, 2 s per exchange",
      "By status code",
      "  401                     1 failure, not retried",
      "  429                     2 failures, 2 retries, 50 % worked",
      "  502                     1 failure, 1 retry, 0 % worked",
      "Waits for acme            5 s at most, breaker off",
      "Adaptive waits            off, nothing learned yet",
      "",
    ]);
  });

  test("C7: a cancelled wait is no retry", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(502));
    const input = new ScriptedInput(["Hello", "/info"]);
    const running = world.start(input);
    await world.time.advance(500);
    input.ear?.interrupt();
    await world.time.until(running);
    expect(world.out).toContain("Retries this session      0\nSuccess rate after retry  -\n");
  });

  test("C1: the model gets the earlier messages without failures; /model changes the model", async () => {
    const world = new ConsoleWorld();
    const first = world.provider("acme", says("One."), emits(400));
    const second = world.provider("other", says("Two."));
    await world.run(new ScriptedInput(["A", "B", "/model nobody/x", "/model other/small", "C", "/model"]));
    expect(first.requests[0]?.messages).toMatchObject([{ content: "A" }]);
    expect(second.requests[0]).toMatchObject({
      model: "small",
      messages: [{ content: "A" }, { role: "assistant" }, { content: "B" }, { content: "C" }],
    });
    expect(world.err).toContain("model must be of a known provider (acme, other)");
    expect(world.out).toMatch(/other\/small\n$/);
  });

  test("C5: a conversation is taken up where it was left, with its model", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("One."));
    const other = world.provider("other", says("Two."), says("Three."));
    await world.run(new ScriptedInput(["A"]), { model: "other/small" });
    await world.run(new ScriptedInput(["B"]));
    expect(other.requests[1]).toMatchObject({ model: "small", messages: [{}, {}, { content: "B" }] });
  });

  test("C5: a conversation keeps its model after an exchange that failed, and after a choice", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("One."));
    const other = world.provider("other", emits(400), says("Two."), says("Three."));
    await world.run(new ScriptedInput(["A"]), { model: "other/small" });
    await world.run(new ScriptedInput(["B", "/model acme/large"]));
    expect(other.requests.map(({ model }) => model)).toEqual(["small", "small"]);
    const input = new ScriptedInput(["/model"]);
    await world.run(input);
    expect(world.out).toMatch(/acme\/large\n$/);
  });

  test("C5: a chosen model alone makes no conversation", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("One."));
    await world.run(new ScriptedInput(["/model acme/small"]));
    expect(await world.store.conversations.list()).toEqual([]);
    await world.run(new ScriptedInput(["/model acme/small", "A"]), { conversation: "c2" });
    expect(await world.store.conversations.read("c2")).toMatchObject([
      { type: "model_change", data: { to: "acme/small" } },
      { type: "message" },
      { type: "message", data: { model: "acme/small" } },
    ]);
  });

  test("C4: a store that can't be written is reported once, and the conversation continues", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", emits(503), says("Yes."), says("And yes."));
    const faults: string[] = [];
    world.ports = { ...world.ports, reportFault: (_, where) => faults.push(where) };
    await world.store.close();
    const conversations = { ...world.store.conversations, get: async () => undefined };
    Object.assign(world.store, { conversations });
    expect(await world.run(new ScriptedInput(["A", "B"], false))).toBe(0);
    expect(world.err).toBe("This conversation can't be saved; it continues in memory\n");
    expect(world.out).toBe("Yes.\nAnd yes.\n");
    // With the default waits, and with what was said before.
    expect(provider.startedAt).toEqual([0, 1000, 1000]);
    expect(provider.requests[2]?.messages).toMatchObject([{ content: "A" }, { role: "assistant" }, { content: "B" }]);
    expect(faults).toContain("settings");
  });

  test("C4: a failed line of a pipe sets the exit code, and the next line is still sent", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(400), says("Yes."));
    expect(await world.run(new ScriptedInput(["A", "", "B"], false))).toBe(1);
    expect(world.out).toBe("Yes.\n");
  });

  test("C4: an interrupted pipe ends with 130", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(502));
    const input = new ScriptedInput(["A", "B"], false);
    const running = world.start(input);
    await world.time.advance(500);
    input.ear?.interrupt();
    expect(await world.time.until(running)).toBe(130);
  });

  test("C4: an invalid command makes a pipe exit with 2 and a failed question with 1; both continue with the next line", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("Yes."), emits(400), says("Fine."));
    expect(await world.run(new ScriptedInput(["/nope", "A"], false))).toBe(2);
    expect(world.err).toContain("command must be one of /help");
    expect(world.out).toBe("Yes.\n");
    expect(await world.run(new ScriptedInput(["/config api_retry_max_delay 0", "B", "/nope", "C"], false))).toBe(1);
    expect(world.out).toBe("Yes.\nFine.\n");
    expect(await world.run(new ScriptedInput(["/nope"]))).toBe(0);
  });

  test("C5: two slashes ask a question that begins with one", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", says("A folder."));
    expect(await world.run(new ScriptedInput(["//etc: what is that?", "/help"], false))).toBe(0);
    expect(provider.requests[0]?.messages).toMatchObject([{ content: "/etc: what is that?" }]);
    expect(world.out).toContain("//…");
  });

  test("S6: --session resumes a stored conversation by a prefix of its id and rejects unknown ones; --continue resumes the newest", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", says("One."), says("Two."), says("Three."), says("Four."));
    const none = { conversation: undefined } as object;
    await expect(world.run(new ScriptedInput(["A"]), { ...none, session: "talk" })).rejects.toThrow(
      '--session must be the id of an existing conversation; got "talk"',
    );
    await world.run(new ScriptedInput(["A"]), { conversation: "talk-1" });
    await world.run(new ScriptedInput(["B"]), { ...none, session: "talk" });
    await world.run(new ScriptedInput(["C"]), { ...none, continue: true });
    await world.run(new ScriptedInput(["D"]), none);
    expect(provider.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 1]);
    expect((await world.store.conversations.list()).map(({ id }) => id)).toContain("talk-1");
  });

  test("C5: /help and an unknown command list the commands; /quit quits", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("Yes."));
    await world.run(new ScriptedInput(["/help", "/nope", "/quit", "never"]));
    expect(world.out).toContain("/config [KEY [VALUE]]");
    expect(world.err).toContain("command must be one of /help, /info, /config, /model, /quit");
    expect(world.out).not.toContain("Yes.");
  });
});
