import { describe, expect, test } from "vitest";
import { says } from "../../support/scripted-provider.ts";
import { SessionWorld } from "../sessions.ts";

const contents = (world: SessionWorld, type?: string): unknown[] =>
  world.kept(type).map(({ data }) => (data as { content?: unknown }).content);

describe("a store that fails for a while", () => {
  test("S6: missed entries are written with the next one, in order, and a prompt is never stored after its answer", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("ok1"), [{ type: "pause", ms: 1000 }, ...says("ok2")], says("ok3")]);
    const session = await world.open();
    void session.prompt("first");
    const second = session.prompt("second");
    const leave = session.subscribe(({ type }) => {
      if (type === "agent_end") world.conversations.fault = new Error("disk full");
    });
    await world.time.advance(500);
    leave();
    expect(world.event("warning")).toEqual([
      { type: "warning", code: "not_saved", message: "A message could not be saved" },
    ]);
    world.conversations.fault = undefined;
    await world.time.until(second);
    expect(contents(world)).toEqual(["first", "second", undefined, "second", undefined]);
    const next = await world.open();
    expect(next.messages).toEqual(session.messages);
    await world.time.until(next.prompt("third"));
    expect(contents(world, "message").slice(4)).toEqual(["third", undefined]);
  });

  test("S6: an entry that it never takes does not keep it from taking the next ones", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("ok1"), says("ok2")]);
    const session = await world.open();
    const { conversations } = world;
    const append = conversations.append.bind(conversations);
    conversations.append = async (id, entries) => {
      if (JSON.stringify(entries).includes("poison")) throw new Error("too big");
      return append(id, entries);
    };
    for (const text of ["poison", "fine"]) await world.time.until(session.prompt(text));
    expect(contents(world, "message")).toEqual([undefined, "fine", undefined]);
    expect(world.event("warning")).toHaveLength(1);
  });
});
