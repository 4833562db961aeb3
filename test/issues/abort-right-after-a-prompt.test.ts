import { expect, test } from "vitest";
import { SessionWorld } from "../session/sessions.ts";
import { says } from "../support/scripted-provider.ts";

test("S8: an abort right after a prompt ends that prompt, though it has not begun yet", async () => {
  const world = new SessionWorld();
  world.provider("acme", [says("there")]);
  const session = await world.open();
  const prompt = session.prompt("Hello");
  const abort = session.abort();
  expect(await world.time.until(prompt)).toEqual({ status: "aborted" });
  await world.time.until(abort);
  expect(world.types()).toContain("agent_end");
  expect(session.isStreaming).toBe(false);
});

test("S8: a steering message sent right after a prompt is part of it", async () => {
  const world = new SessionWorld();
  const provider = world.provider("acme", [says("there"), says("and there")]);
  const session = await world.open();
  const prompt = session.prompt("Hello");
  expect(session.steer("Look again")).toBe(true);
  await world.time.until(prompt);
  expect(JSON.stringify(provider.requests)).toContain("Look again");
});

test("S6: a conversation that another process has started meanwhile is continued", async () => {
  const world = new SessionWorld();
  world.provider("acme", [says("one"), says("two")]);
  const [one, other] = [await world.open({ conversationId: "same" }), await world.open({ conversationId: "same" })];
  await world.time.until(one.prompt("Hello"));
  await world.time.until(other.prompt("Hello again"));
  expect(world.events.filter(({ type }) => type === "warning")).toEqual([]);
  expect(JSON.stringify(await world.conversations.read("same"))).toContain("Hello again");
});
