import fc from "fast-check";
import { expect, test } from "vitest";
import { readHealthId } from "../../src/activity/health-view.ts";
import { MemoryHealth } from "../../src/index.ts";
import { failureOf, guarded, target, under } from "../kernel/health/fixtures.ts";
import { newActivity } from "./activities.ts";

test("B5: cooldowns and breakers are listed with the time at which they end, and cleared by their id", async () => {
  const health = new MemoryHealth();
  const { activity, world } = await newActivity({ health });
  await world.time.advance(1000);
  const nowMs = world.ports.now();
  health.started(target("fine"));
  health.coolDown(target("a", "m/x", "k"), "credential", nowMs + 5000);
  health.coolDown(target("b", "n", "k"), "model", nowMs + 6000);
  for (let n = 0; n < 5; n++) health.failed(under(guarded, -1, target("c")), failureOf("server"), nowMs + n * 10);
  const { items, fine } = activity.health();
  const at = world.ports.wallNow();
  expect(items).toMatchObject([
    { type: "breaker", provider: "c" },
    { type: "cooldown", provider: "a", model: "m/x", credential: "k", until: at + 5000 },
    { type: "cooldown", provider: "b", model: "n", until: at + 6000 },
  ]);
  expect(fine).toEqual(["fine"]);
  for (const { id } of items) {
    expect(id).toMatch(/^[\w-]+$/);
    expect(await activity.clear(id)).toBe(true);
    expect(await activity.clear(id)).toBe(false);
  }
  expect(activity.health().items).toEqual([]);
});

test("B5: an id that is none clears nothing", async () => {
  const { activity } = await newActivity();
  for (const id of ["", "x", "bnVsbA", Buffer.from('["breaker"]').toString("base64url")]) {
    expect(await activity.clear(id)).toBe(false);
  }
});

test("B5: any text as an id is read or refused, never thrown at", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map((text) => Buffer.from(text).toString("base64url")),
      ),
      (id) => {
        expect(() => readHealthId(id)).not.toThrow();
      },
    ),
  );
});
