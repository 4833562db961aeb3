import { describe, expect, test } from "vitest";
import { emits, partly, says } from "../../../support/scripted-provider.ts";
import { until } from "../../../support/until.ts";
import { ChatWorld } from "./chat-world.ts";

const START = Date.UTC(2026, 0, 1);

describe("clients of a running turn", () => {
  test("K6: a client that joins in a wait gets the turn so far, with the end of the wait", async () => {
    const world = new ChatWorld([emits(529), emits(529), says("there")]);
    const first = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "Hello" });
    await world.time.advance(7000);
    const late = world.follow("c1");
    expect(late.types).toEqual(["turn-start", "user-message", "provider-retry", "provider-retry"]);
    expect(late.of("provider-retry")[1]).toMatchObject({ attempt: 1, delayMs: 10_000, retryAt: START + 15_000 });
    expect(await world.service.open("c1")).toMatchObject({ state: "waiting", retryAt: START + 15_000 });
    expect((await world.service.list())[0]).toMatchObject({ state: "waiting", retryAt: START + 15_000 });
    await world.sealed();
    expect(late.events).toEqual(first.events);
  });

  test("K6: adjacent deltas are joined for a client that joins late, and the text is the same", async () => {
    const world = new ChatWorld([
      [{ type: "text", text: "One " }, { type: "text", text: "two " }, { type: "pause", ms: 1000 }, ...says("three")],
    ]);
    const first = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "Count" });
    await world.time.advance(500);
    const late = world.follow("c1");
    expect(late.types).toEqual(["turn-start", "user-message", "text-delta"]);
    await world.sealed();
    expect([first.text, late.text]).toEqual(["One two three", "One two three"]);
  });

  test("K6: two clients hear the same events, and one that leaves changes nothing", async () => {
    const world = new ChatWorld([emits(503), says("there")]);
    const [one, two, leaver] = [world.follow("c1"), world.follow("c1"), world.follow("c1")];
    await world.service.send({ conversationId: "c1", message: "Hello" });
    leaver.leave();
    await world.sealed();
    expect(one.events).toEqual(two.events);
    expect(one.types.at(-1)).toBe("turn-sealed");
    expect(leaver.types).not.toContain("turn-sealed");
  });

  test("K6: a turn goes on when no client listens, and its answer is stored", async () => {
    const world = new ChatWorld([emits(503), says("there")]);
    await world.service.send({ conversationId: "c1", message: "Hello" });
    await world.time.advance(10_000);
    await until(() => world.service.running === 0);
    const view = await world.service.open("c1");
    expect(view.state).toBe("idle");
    expect(view.lines.at(-1)).toMatchObject({ message: { parts: [{ text: "there" }] } });
    expect(world.follow("c1").events).toEqual([]);
  });

  test("B8: a wait that another client ends early ends for all", async () => {
    const world = new ChatWorld([emits(529), says("there")]);
    const client = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "Hello" });
    await world.time.advance(1000);
    const [wait] = client.of("provider-retry");
    expect(world.activity.handles.get(wait?.generationId ?? "")?.retryNow()).toBe(true);
    expect(await world.service.open("c1")).toMatchObject({ state: "running" });
    await world.sealed();
    expect(client.text).toBe("there");
    expect(world.time.nowMs).toBeLessThan(5000);
  });

  test("B8: giving up ends the turn with the error that it was waiting to retry", async () => {
    const world = new ChatWorld([emits(529, "HTTP 529: Overloaded")]);
    const client = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "Hello" });
    await world.time.advance(1000);
    const [handle] = world.activity.handles.values();
    handle?.giveUp();
    await world.sealed();
    expect(client.of("error")).toMatchObject([{ message: "HTTP 529: Overloaded", receipt: { outcome: "gave-up" } }]);
    expect((await world.service.open("c1")).state).toBe("failed");
  });

  test("K4: an abort in a wait seals the turn at once as aborted, with its receipt", async () => {
    const world = new ChatWorld([emits(529)]);
    const client = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "Hello" });
    await world.time.advance(1000);
    expect(world.service.abort("c1")).toBe(true);
    await world.sealed();
    expect(client.of("turn-sealed")).toMatchObject([
      { status: "aborted", receipt: { outcome: "aborted", attempts: 1 } },
    ]);
    expect(world.time.nowMs).toBe(1000);
    expect((await world.service.open("c1")).state).toBe("aborted");
    expect(world.service.abort("c1")).toBe(false);
  });

  test("K6: an abort while the answer streams stores what was said", async () => {
    const world = new ChatWorld([partly("Once upon", { type: "hang" })]);
    await world.service.send({ conversationId: "c1", message: "Tell" });
    await world.time.advance(10);
    world.service.abort("c1");
    await world.sealed();
    const view = await world.service.open("c1");
    expect(view.lines.at(-1)).toMatchObject({ message: { stopReason: "aborted", parts: [{ text: "Once upon" }] } });
    expect(world.acme.closed).toBe(1);
  });

  test("K6: an abort right after the message was sent is not lost", async () => {
    const world = new ChatWorld([says("never")]);
    const client = world.follow("c1");
    const sending = world.service.send({ conversationId: "c1", message: "Hello" });
    world.service.abort("c1");
    await sending;
    await until(() => world.service.running === 0);
    expect(client.of("turn-sealed")).toMatchObject([{ status: "aborted" }]);
  });

  test("K6: a subscriber that throws does not affect the others", async () => {
    const world = new ChatWorld([says("there")]);
    world.service.subscribe("c1", {
      hear: () => {
        throw new Error("a broken client");
      },
    });
    expect((await world.ask("Hello")).text).toBe("there");
    expect(world.time.faults.length).toBeGreaterThan(0);
  });

  test("K6: of endless waits a late client gets the last ones", async () => {
    const world = new ChatWorld([emits(503)]);
    await world.service.send({ conversationId: "c1", message: "Hello", policy: "console" });
    await world.time.advance(600_000);
    const late = world.follow("c1");
    expect(late.types.slice(0, 2)).toEqual(["turn-start", "user-message"]);
    expect(late.of("provider-retry")).toHaveLength(50);
    expect(late.of("provider-retry").at(-1)?.attempt).toBeGreaterThan(100);
    world.service.abort("c1");
    await world.sealed();
  });
});
