import { describe, expect, test } from "vitest";
import { AgentSession } from "../../src/session/index.ts";
import type { Tool } from "../../src/turn/index.ts";
import { calls, emits, type Piece, says } from "../support/scripted-provider.ts";
import { SessionWorld } from "./sessions.ts";

const QUOTA = "HTTP 429: You exceeded your current quota, please check your plan and billing details.";
const slowly = (pieces: readonly Piece[]): Piece[] => [{ type: "pause", ms: 1000 }, ...pieces];
const look: Tool = { spec: { name: "look", description: "", parameters: {} }, run: async () => "seen" };

/** Acme falls back to third after a second; meanwhile somebody may choose. */
function worldWith(fallbackRevertPolicy: string, thirds: readonly (readonly Piece[])[] = [says("third")]) {
  const world = new SessionWorld();
  world.settings = { fallbackChains: { default: ["acme/large", "third/one"] }, fallbackRevertPolicy };
  const acme = world.provider("acme", [slowly(emits(429, QUOTA, { "retry-after": "10" })), says("back")]);
  const third = world.provider("third", thirds);
  const other = world.provider("other", [says("chosen")]);
  return { world, acme, third, other };
}

const changes = (world: SessionWorld) => world.event("model_change").map(({ from, to, reason }) => [from, to, reason]);

describe.each(["never", "cooldown-expiry"])("a model that is chosen during a step, with the policy %s", (policy) => {
  test("S6: is used from the next prompt on, and only the choice is emitted", async () => {
    const { world, third, other } = worldWith(policy);
    const session = await world.open();
    const first = session.prompt("One");
    await world.time.advance(500);
    await session.setModel("other/big");
    await world.time.until(first);
    // The step that was under way has gone its own way, and said so.
    expect(third.requests).toHaveLength(1);
    expect(world.event("retry_fallback_applied")).toMatchObject([{ from: "acme/large", to: "third/one" }]);
    expect(world.event("retry_fallback_succeeded")).toMatchObject([{ model: "third/one" }]);
    expect(session.model).toBe("other/big");
    await world.time.until(session.prompt("Two"));
    expect(other.requests).toHaveLength(1);
    expect(changes(world)).toEqual([["acme/large", "other/big", "chosen"]]);
    expect(world.kept("model_change")).toHaveLength(1);
  });

  test("S6: leads from the next step of the same prompt on", async () => {
    const { world, third, other } = worldWith(policy, [calls(["a", "look"])]);
    const session = await world.open({}, { tools: [look] });
    const prompt = session.prompt("One");
    await world.time.advance(500);
    await session.setModel("other/big");
    await world.time.until(prompt);
    expect(third.requests).toHaveLength(1);
    expect(other.requests).toHaveLength(1);
    expect(changes(world)).toEqual([["acme/large", "other/big", "chosen"]]);
  });

  test("S6: leads when the conversation is taken up again", async () => {
    const { world } = worldWith(policy);
    const session = await world.open();
    const prompt = session.prompt("One");
    await world.time.advance(500);
    await session.setModel("other/big");
    await world.time.until(prompt);
    expect((await AgentSession.open(world.parts(), { conversationId: "c1" })).model).toBe("other/big");
  });

  test("S6: leads even if it is the one that is at work and falls back afterwards", async () => {
    const { world, acme } = worldWith(policy);
    const session = await world.open();
    const first = session.prompt("One");
    await world.time.advance(500);
    await session.setModel("acme/large");
    await world.time.until(first);
    expect(session.model).toBe("acme/large");
    await world.time.advance(20_000);
    await world.time.until(session.prompt("Two"));
    expect(acme.requests).toHaveLength(2);
  });

  test("S6: a fallback after the chosen model was used is emitted as usual", async () => {
    const { world } = worldWith(policy);
    const session = await world.open({ model: "other/big" });
    await session.setModel("acme/large");
    await world.time.until(session.prompt("One"));
    expect(changes(world)).toEqual([
      ["other/big", "acme/large", "chosen"],
      ["acme/large", "third/one", "fallback"],
    ]);
    expect(session.model).toBe("third/one");
  });
});
