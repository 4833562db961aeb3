import { describe, expect, test } from "vitest";
import { definePolicy, type Failure, MemoryHealth, type RunOptions } from "../../../src/index.ts";
import { answer, fails, hangs, World } from "../../support/world.ts";
import { failureOf, target } from "../health/fixtures.ts";

const TARGET = target("p", "m", "");
const POLICY = definePolicy({ breaker: { failures: 2, cooldownMs: 10_000, maxCooldownMs: 60_000 } });
const given = (): RunOptions & { health: MemoryHealth } => ({
  policy: POLICY,
  health: new MemoryHealth(),
  targets: [{ provider: "p", model: "m" }],
});

const HERD = 30;

/** More than may be under way at a time while a target is on its way back. */
function sendHerd(world: World, options: RunOptions): void {
  for (let n = 0; n < HERD; n++) world.start(hangs, options);
}

const reasons = (world: World): Failure["evidence"][] =>
  world.event("wait-start").map(({ failure }) => failure.evidence);

describe("the failure of a generation that health blocks", () => {
  test("E17: it cools down, with the time that is left", async () => {
    const world = new World();
    const options = given();
    options.health.coolDown(TARGET, "credential", 30_000);
    world.start(world.script(answer()), options);
    expect(world.event("wait-start")).toMatchObject([
      {
        failure: {
          kind: "rate_limit",
          message: "The target is cooling down after an earlier limit",
          evidence: "health:cooldown",
          hintMs: 30_000,
        },
      },
    ]);
  });

  test("E17: one that was refused is called so, and is no limit", async () => {
    const world = new World();
    const other = { provider: "q", model: "n" };
    const options = { ...given(), targets: [{ provider: "p", model: "m" }, other] };
    options.health.refuse(TARGET, "model", 10_000, "not_found");
    options.health.coolDown(target("q", "n", ""), "credential", 30_000);
    world.start(world.script(answer()), options);
    expect(world.event("wait-start")).toMatchObject([
      {
        delayMs: 30_000,
        failure: {
          kind: "permission",
          retryable: false,
          message: "The target was rejected recently: its key or model is not accepted",
          evidence: "health:refused",
          hintMs: undefined,
        },
      },
    ]);
  });

  test.each([
    [98_500, "99 s"],
    [99_001, "2 min"],
    [5_940_001, "2 h"],
    [86_400_000, "24 h"],
    [31 * 86_400_000, "31 days"],
  ])("E18: one that does not wait for %i ms is told that it takes %s", async (leftMs, rest) => {
    const world = new World();
    const options = { ...given(), policy: definePolicy({ maxDelayMs: 1000 }) };
    options.health.coolDown(TARGET, "credential", leftMs);
    const result = await world.run(world.script(answer()), options);
    const message = `The target is cooling down after an earlier limit, for another ${rest}`;
    expect(result).toMatchObject({ ok: false, reason: "delay-cap", failure: { message, hintMs: leftMs } });
  });

  test("S7: the wait and its hint are of whole milliseconds", async () => {
    const world = new World();
    const options = given();
    options.health.coolDown(TARGET, "credential", 29_999.4);
    world.start(world.script(answer()), options);
    expect(world.event("wait-start")).toMatchObject([{ delayMs: 30_000, failure: { hintMs: 30_000 } }]);
  });

  test("B5: on the way back from a cooldown no breaker is blamed: none was triggered", async () => {
    const world = new World();
    const options = given();
    options.health.coolDown(TARGET, "credential", 1000);
    await world.time.advance(1000);
    sendHerd(world, options);
    expect(world.event("wait-start").length).toBeGreaterThan(0);
    for (const { failure } of world.event("wait-start")) {
      expect(failure).toMatchObject({
        kind: "overloaded",
        retryable: true,
        message: "The target is recovering: calls are let through a few at a time",
        evidence: "health:recovering",
        target: TARGET,
      });
    }
  });

  test("C9: an open breaker is named, and the way back from it is not taken for one", async () => {
    const world = new World();
    const options = given();
    await world.run(world.script(fails(503), fails(503), answer()), options);
    // The probe was good: now it is a ramp.
    world.events.length = 0;
    sendHerd(world, options);
    expect(new Set(reasons(world))).toEqual(new Set(["health:recovering"]));

    const shut = new World();
    const other = given();
    const attempt = { target: TARGET, policy: POLICY, admittedAtMs: -1 };
    for (let n = 0; n < 2; n++) other.health.failed(attempt, failureOf("server"), 0);
    shut.start(hangs, other);
    expect(reasons(shut)).toEqual(["health:breaker"]);
  });

  test("E17: the evidence changes with the reason for the block", async () => {
    const world = new World();
    const options = given();
    options.health.coolDown(TARGET, "credential", 1000);
    sendHerd(world, options);
    await world.time.advance(2500);
    const told = reasons(world);
    expect(new Set(told.slice(0, HERD))).toEqual(new Set(["health:cooldown"]));
    expect(new Set(told.slice(HERD))).toEqual(new Set(["health:recovering"]));
  });

  test("E2: the endpoint's own words count for more, once there are any", async () => {
    const world = new World();
    const options = given();
    const first = world.start(world.script(fails(500, "a bug of theirs"), answer()), options);
    await world.time.settle();
    options.health.coolDown(TARGET, "credential", 30_000);
    await world.time.until(first.result);
    const held = world.event("wait-start").filter(({ schedule }) => schedule === "");
    expect(held.map(({ failure }) => failure.message)).toEqual(["a bug of theirs"]);
  });
});
