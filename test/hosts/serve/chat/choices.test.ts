import { describe, expect, test } from "vitest";
import { definePolicy } from "../../../../src/kernel/index.ts";
import { defaultPolicy } from "../../../../src/presets/index.ts";
import { emits, says } from "../../../support/scripted-provider.ts";
import { until } from "../../../support/until.ts";
import { ChatWorld } from "./chat-world.ts";

describe("what a turn uses", () => {
  test("K6: the model and the policy of a turn are those of the next one, also after a restart", async () => {
    const world = new ChatWorld([says("one")], { other: [says("two")] });
    const first = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "a", model: "other/small", policy: "session" });
    await world.sealed();
    world.restart();
    const second = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "b" });
    await world.sealed();
    expect([...first.of("turn-start"), ...second.of("turn-start")].map(({ model }) => model)).toEqual([
      "other/small",
      "other/small",
    ]);
    expect(world.activity.facts.map(({ policy }) => policy)).toEqual(["session", "session"]);
  });

  test("S6: another model for a turn is stored as a change that was chosen", async () => {
    const world = new ChatWorld([says("one")], { other: [says("two")] });
    await world.ask("a");
    await world.service.send({ conversationId: "c1", message: "b", model: "other/small" });
    await world.sealed();
    const { lines, model } = await world.service.open("c1");
    expect(lines[2]).toMatchObject({ type: "model-change", from: "acme/large", to: "other/small", reason: "chosen" });
    expect(model).toBe("other/small");
  });

  test("S6: the primary answers again when its cooldown is over, and the change is stored", async () => {
    const limited = emits(429, "HTTP 429: You exceeded your current quota", { "retry-after": "60" });
    const world = new ChatWorld([limited, says("back")], {
      other: [says("two")],
      chains: { default: ["acme/large", "other/small"] },
    });
    await world.service.send({ conversationId: "c1", message: "a", policy: "session" });
    await world.sealed();
    await world.time.advance(120_000);
    await world.ask("b");
    const changes = (await world.service.open("c1")).lines.flatMap((line) =>
      line.type === "model-change" ? [`${line.to} ${line.reason}`] : [],
    );
    expect(changes).toEqual(["other/small fallback", "acme/large restored"]);
  });

  test("K6: an own policy decides, and a deleted one gives way to the default", async () => {
    const world = new ChatWorld([emits(503), says("one"), emits(503), says("two")]);
    world.own.set(
      "hasty",
      definePolicy(
        { name: "hasty", schedules: { general: { type: "fixed", delayMs: 7, atMost: 1 } } },
        defaultPolicy(),
      ),
    );
    const client = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "a", policy: "hasty" });
    await world.sealed();
    expect(client.of("provider-retry")[0]).toMatchObject({ delayMs: 7, maxRetries: 1 });
    world.own.clear();
    await world.ask("b");
    expect(world.activity.facts.map(({ policy }) => policy)).toEqual(["hasty", "patient"]);
  });

  test("K6: an unknown model or policy is refused by name, and nothing is stored", async () => {
    const world = new ChatWorld([says("never")]);
    await expect(world.service.send({ message: "a", model: "nobody/x" })).rejects.toThrow(
      'model must be of a known provider (acme); got "nobody/x"',
    );
    await expect(world.service.send({ message: "a", policy: "constructor2" })).rejects.toThrow(
      "policy must be a preset",
    );
    expect(await world.store.conversations.list()).toEqual([]);
    expect(world.service.running).toBe(0);
  });
});

describe("limits", () => {
  test("K6: one turn at a time in a conversation: of two messages at once the second is refused", async () => {
    const world = new ChatWorld([emits(503), says("there")]);
    const results = await Promise.allSettled(
      ["a", "b"].map((message) => world.service.send({ conversationId: "c1", message })),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(results[1]).toMatchObject({ reason: { status: 409, message: expect.stringContaining("Steer it") } });
    await world.sealed();
    await world.ask("c");
    expect(world.service.running).toBe(0);
  });

  test("K6: with as many turns in flight as allowed, another is refused until one has ended", async () => {
    const world = new ChatWorld([emits(503), emits(503), says("there")], { maxTurns: 2 });
    await world.service.send({ conversationId: "c1", message: "a" });
    await world.service.send({ conversationId: "c2", message: "b" });
    await expect(world.service.send({ conversationId: "c3", message: "c" })).rejects.toMatchObject({ status: 429 });
    await world.time.advance(60_000);
    await until(() => world.service.running === 0);
    expect((await world.ask("c", "c3")).text).toBe("there");
  });

  test("K6: a message that can't be stored is refused, and leaves no empty conversation behind", async () => {
    const world = new ChatWorld([says("there")]);
    const { conversations } = world.store;
    const append = conversations.append.bind(conversations);
    conversations.append = async () => {
      throw new Error("disk full");
    };
    await expect(world.service.send({ conversationId: "c1", message: "a" })).rejects.toThrow("disk full");
    expect(await conversations.list()).toEqual([]);
    conversations.append = append;
    expect((await world.ask("a")).text).toBe("there");
  });

  test("K6: an answer that can't be stored at once is stored with what follows", async () => {
    const world = new ChatWorld([[{ type: "pause", ms: 10 }, ...says("there")]]);
    const { conversations } = world.store;
    const append = conversations.append.bind(conversations);
    await world.service.send({ conversationId: "c1", message: "a" });
    let refused = 0;
    conversations.append = async (id, entries) => {
      // The message with the end of its turn, then the message alone.
      if (refused++ < 2) throw new Error("busy");
      return append(id, entries);
    };
    await world.sealed();
    expect((await world.service.open("c1")).lines).toHaveLength(2);
    expect(world.time.faults).toHaveLength(1);
  });
});

describe("conversations", () => {
  test("K6: lists the newest first, finds by title, renames and deletes", async () => {
    const world = new ChatWorld([says("there")]);
    for (const id of ["c1", "c2"]) {
      await world.ask(`About ${id}`, id);
      await world.time.advance(10);
    }
    expect((await world.service.list()).map(({ id }) => id)).toEqual(["c2", "c1"]);
    expect((await world.service.list({ search: "ABOUT C1" })).map(({ id }) => id)).toEqual(["c1"]);
    await world.service.rename("c1", "Renamed");
    expect((await world.service.open("c1")).title).toBe("Renamed");
    await world.service.remove("c1");
    await expect(world.service.open("c1")).rejects.toMatchObject({ status: 404 });
    await expect(world.service.remove("c1")).rejects.toMatchObject({ status: 404 });
    await expect(world.service.rename("c1", "x")).rejects.toMatchObject({ status: 404 });
  });

  test("K6: lists more conversations than it reads in one go, but none that no path can name", async () => {
    const world = new ChatWorld([says("there")]);
    for (let n = 0; n < 120; n++) await world.store.conversations.create({ id: `c${n}`, title: "" });
    await world.store.conversations.create({ id: "my talk/2", title: "" });
    expect(await world.service.list()).toHaveLength(120);
    expect(await world.service.list({ limit: 7 })).toHaveLength(7);
  });

  test("K6: deleting a conversation aborts its turn first", async () => {
    const world = new ChatWorld([emits(503)]);
    const client = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "a" });
    await world.service.remove("c1");
    expect(client.types.at(-1)).toBe("turn-sealed");
    expect(await world.service.list()).toEqual([]);
    expect(world.service.running).toBe(0);
  });
});
