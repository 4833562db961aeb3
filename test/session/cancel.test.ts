import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../src/turn/index.ts";
import { type Call, calls, emits, partly, says } from "../support/scripted-provider.ts";
import { SessionWorld } from "./sessions.ts";

const never: Tool = {
  spec: { name: "never", description: "", parameters: {} },
  run: () => new Promise(() => undefined),
};
const ask: Tool = {
  spec: { name: "ask", description: "", parameters: {} },
  run: (_, context) => context.ask({ prompt: "And?" }),
};

describe("ending a retry", () => {
  test("S8: prompt() resolves only when its retry chain has ended", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503), says("there")]);
    const session = await world.open();
    let isResolved = false;
    const prompt = session.prompt("Hello").finally(() => {
      isResolved = true;
    });
    await world.time.advance(1999);
    expect([isResolved, session.isRetrying, session.isStreaming]).toEqual([false, true, true]);
    await world.time.until(prompt);
    expect(world.types().at(-1)).toBe("agent_end");
    expect([session.isRetrying, session.isStreaming]).toEqual([false, false]);
  });

  test("S8, S4: abortRetry ends the wait at once, as cancelled", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503, "HTTP 503: down"), says("never")]);
    const session = await world.open();
    expect(session.abortRetry()).toBe(false);
    const prompt = session.prompt("Hello");
    await world.time.advance(500);
    expect(session.abortRetry()).toBe(true);
    expect(await prompt).toMatchObject({ status: "error", error: "HTTP 503: down" });
    expect(world.time).toMatchObject({ nowMs: 500, sleeping: 0 });
    expect(world.retries().at(-1)).toMatchObject({
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: "Retry cancelled",
    });
    expect([session.retryAttempt, session.isRetrying]).toEqual([0, false]);
    expect(provider.requests).toHaveLength(1);
  });

  test("S8: abortRetry during the retry itself lets it finish, but not be repeated", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503), [{ type: "pause", ms: 1000 }, ...emits(503)], says("never")]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.advance(2500);
    expect(session.abortRetry()).toBe(true);
    expect((await world.time.until(prompt)).status).toBe("error");
    expect(provider.requests).toHaveLength(2);
    expect(world.retries().at(-1)).toMatchObject({ success: false, attempt: 1, finalError: "Retry cancelled" });
    expect(world.event("auto_retry_start")).toHaveLength(1);
  });

  test("S8: abort ends the retry first, then the stream, and resolves when all is quiet", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503), says("never")]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.advance(500);
    await session.abort();
    expect(session.isStreaming).toBe(false);
    expect(await prompt).toEqual({ status: "aborted" });
    expect(world.types().slice(-2)).toEqual(["auto_retry_end", "agent_end"]);
    expect(world.retries().at(-1)).toMatchObject({ success: false, finalError: "Retry cancelled" });
  });

  test("S8: abort in the middle of an answer keeps the partial text", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [partly("Once", { type: "hang" }), says("more")]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.settle();
    await session.abort();
    expect((await prompt).status).toBe("aborted");
    await world.time.settle();
    expect(provider.closed).toBe(1);
    expect(world.retries()).toMatchObject([]);
    expect(session.messages.at(-1)).toMatchObject({ stopReason: "aborted", parts: [{ text: "Once" }] });
    await world.time.until(session.prompt("Go on"));
    expect(provider.requests[1]?.messages).toHaveLength(3);
  });

  test("S8: abort does not wait for a tool that ignores it; no call is left without a result", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [calls(["a", "never"]), says("well")]);
    const session = await world.open({}, { tools: [never] });
    const prompt = session.prompt("Hello");
    await world.time.settle();
    await session.abort();
    expect((await prompt).status).toBe("aborted");
    await world.time.until(session.prompt("And now?"));
    expect(provider.requests[1]?.messages[2]).toMatchObject({ role: "tool", toolCallId: "a", content: "Aborted" });
  });

  test("B8: retryNow ends the wait early and retries", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503), says("there")]);
    const session = await world.open();
    expect(session.retryNow()).toBe(false);
    const prompt = session.prompt("Hello");
    await world.time.advance(300);
    expect(session.retryNow()).toBe(true);
    expect((await world.time.until(prompt)).status).toBe("done");
    expect(provider.startedAt).toEqual([0, 300]);
    expect(world.retries().at(-1)).toMatchObject({ type: "auto_retry_end", success: true, attempt: 1 });
  });
});

/** A prompt with everything in it: waits, content that is taken back, tools that ask a model and retry, steering. */
const SCRIPT: readonly Call[] = [
  emits(503),
  partly("Let me", { type: "pause", ms: 100 }, ...emits(529)),
  [{ type: "pause", ms: 100 }, ...calls(["a", "ask"], ["b", "ask"])],
  emits(529),
  [{ type: "pause", ms: 50 }, ...says("an answer")],
  [{ type: "pause", ms: 50 }, ...says("an answer")],
  [{ type: "pause", ms: 100 }, ...says("The", " end")],
];

describe("at any moment", () => {
  const settle = async (world: SessionWorld): Promise<void> => {
    await world.time.advance(100_000);
    expect(world.time.sleeping).toBe(0);
    expect(world.event("agent_start")).toHaveLength(1);
    expect(world.event("agent_end")).toHaveLength(1);
    expect(world.types().at(-1)).toBe("agent_end");
    // Starts and ends of retries go by pairs, for the prompt and for each tool call.
    for (const origin of [undefined, "a", "b"]) {
      const own = world
        .retries()
        .filter(
          (event) => "origin" in event === (origin !== undefined) && (event as { origin?: string }).origin === origin,
        );
      const ends = own.filter(({ type }) => type === "auto_retry_end");
      expect(ends.length).toBeLessThanOrEqual(1);
      if (own.some(({ type }) => type === "auto_retry_start")) expect(ends).toHaveLength(1);
    }
  };

  test("S8: abort ends everything once, and nothing happens afterwards", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 9000 }), async (atMs) => {
        const world = new SessionWorld();
        const provider = world.provider("acme", SCRIPT);
        const session = await world.open({}, { tools: [ask] });
        const prompt = session.prompt("Hello");
        await world.time.advance(atMs);
        const wasOver = !session.isStreaming;
        const requests = provider.requests.length;
        await session.abort();
        expect((await prompt).status).toBe(wasOver ? "done" : "aborted");
        expect([session.isRetrying, session.retryAttempt, session.isStreaming]).toEqual([false, 0, false]);
        await settle(world);
        expect(provider.requests).toHaveLength(requests);
      }),
      { numRuns: 50 },
    );
  });

  test("S8: abort and abortRetry from within any event's listener", async () => {
    for (const how of ["abort", "abortRetry"] as const) {
      for (let at = 0; at < 45; at++) {
        const world = new SessionWorld();
        world.provider("acme", SCRIPT);
        const session = await world.open({}, { tools: [ask] });
        session.subscribe(() => {
          if (world.events.length === at + 1) void session[how]();
        });
        await world.time.until(session.prompt("Hello"));
        await settle(world);
      }
    }
  });

  test("S8: commands in any order leave a session that works", async () => {
    const command = fc.constantFrom("abort", "abortRetry", "retryNow", "steer", "wait", "prompt");
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        const world = new SessionWorld();
        world.provider("acme", [emits(503), partly("x", ...emits(529)), says("a"), emits(503), says("b")]);
        const session = await world.open();
        const prompts = [session.prompt("Hello")];
        for (const name of commands) {
          if (name === "wait") await world.time.advance(700);
          else if (name === "prompt") prompts.push(session.prompt("More"));
          else if (name === "steer") session.steer("Look here");
          else void session[name]();
        }
        const results = await world.time.until(Promise.all(prompts));
        expect(results).toHaveLength(prompts.length);
        expect(world.event("agent_end")).toHaveLength(prompts.length);
        expect(world.event("agent_start")).toHaveLength(prompts.length);
        expect(world.time.sleeping).toBe(0);
        expect((await world.time.until(session.prompt("Still there?"))).status).toBe("done");
      }),
      { numRuns: 60 },
    );
  });
});

describe("prompts and listeners", () => {
  test("S8: prompts are answered one after another; what is steered is heard after the step", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [[{ type: "pause", ms: 100 }, ...says("one")], says("two"), says("three")]);
    const session = await world.open();
    expect(session.steer("to nobody")).toBe(false);
    const both = Promise.all([session.prompt("First"), session.prompt("Second")]);
    await world.time.advance(50);
    expect(session.steer("by the way")).toBe(true);
    await world.time.until(both);
    expect(provider.requests.map(({ messages }) => (messages.at(-1) as { content?: string }).content)).toEqual([
      "First",
      "by the way",
      "Second",
    ]);
    expect(world.event("steering")).toEqual([{ type: "steering", content: "by the way" }]);
  });

  test("S7: a listener that throws, rejects or hangs affects neither the other listeners nor the prompt", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503), says("there")]);
    const session = await world.open();
    session.subscribe(() => {
      throw new Error("a broken extension");
    });
    session.subscribe(() => Promise.reject(new Error("another one")));
    session.subscribe(() => new Promise(() => undefined));
    session.subscribe((event) => {
      if (event.type === "message_end") (event.message as { role: string }).role = "nobody";
    });
    const late: string[] = [];
    const leave = session.subscribe(({ type }) => late.push(type));
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(late).toEqual(world.types());
    expect(new Set(world.time.faults.map(({ where }) => where))).toEqual(new Set(["session listener"]));
    leave();
    await world.time.until(session.prompt("Again"));
    expect(late.length).toBeLessThan(world.events.length);
  });

  test("S8: two sessions side by side do not mix", async () => {
    const world = new SessionWorld();
    world.provider("acme", [
      ({ messages }) => {
        const text = String((messages[0] as { content?: string }).content);
        const seen = world.providers
          .get("acme")
          ?.requests.filter(({ messages: [first] }) => (first as { content?: string }).content === text);
        return (seen?.length ?? 0) <= (text === "one" ? 2 : 1)
          ? emits(503, `busy for ${text}`)
          : says(`answer to ${text}`);
      },
    ]);
    const [one, two] = [await world.open({ conversationId: "one" }), await world.open({ conversationId: "two" })];
    const heard = { one: [] as string[], two: [] as string[] };
    one.subscribe((event) => heard.one.push(JSON.stringify(event)));
    two.subscribe((event) => heard.two.push(JSON.stringify(event)));
    const both = Promise.all([one.prompt("one"), two.prompt("two")]);
    await world.time.advance(2500);
    expect([one.retryAttempt, two.retryAttempt]).toEqual([2, 0]);
    await world.time.until(both);
    expect(heard.one.join()).not.toContain("two");
    expect(heard.two.join()).not.toContain("for one");
    expect(JSON.stringify(world.conversations.kept("one"))).toContain("answer to one");
    expect(JSON.stringify(world.conversations.kept("two"))).not.toContain("for one");
  });

  test("S8: a closed session ends what is under way and takes nothing more", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503)]);
    const session = await world.open();
    const prompts = [session.prompt("Hello"), session.prompt("Never")];
    await world.time.advance(100);
    await session.close();
    expect(await Promise.all(prompts)).toEqual([{ status: "aborted" }, { status: "aborted" }]);
    await expect(session.prompt("More")).rejects.toThrow("closed");
    await expect(session.prompt("")).rejects.toThrow("not empty");
  });
});
