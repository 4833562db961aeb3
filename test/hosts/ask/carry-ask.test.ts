import { describe, expect, test } from "vitest";
import { askPolicy } from "../../../src/hosts/ask/ask-policy.ts";
import { type AskInput, carryAsk } from "../../../src/hosts/ask/carry-ask.ts";
import { fitWait, type WaitStart, waitText } from "../../../src/hosts/ask/wait-line.ts";
import { classify, definePolicy } from "../../../src/kernel/index.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";
import {
  type Call,
  calls,
  emits,
  type Piece,
  partly,
  ScriptedProvider,
  says,
} from "../../support/scripted-provider.ts";
import { evenChance, LONG_CHAINS } from "../../support/world.ts";

const PATIENT = definePolicy({ patienceMs: 300_000 }, askPolicy("console"));

/** One ask on virtual time, and all that it told. */
class AskWorld {
  readonly time = new VirtualWorld(LONG_CHAINS);
  readonly waits: WaitStart[] = [];
  text = "";

  ask(script: readonly Call[], changes: Partial<AskInput> = {}) {
    return carryAsk({
      ...{ question: "Why?", policy: askPolicy("console"), maxWaitMs: Number.POSITIVE_INFINITY, isBuffered: false },
      provider: new ScriptedProvider("acme", script, this.time),
      target: { provider: "acme", model: "large", credentials: ["key-1"] },
      ports: { ...this.time.ports, random: evenChance },
      onText: (text) => {
        this.text += text;
      },
      onWait: (wait) => this.waits.push(wait),
      onWaitEnd: () => undefined,
      ...changes,
    });
  }
}

describe("one question, carried", () => {
  test("B4: the receipt lists attempts, waits and targets", async () => {
    const world = new AskWorld();
    const { receipt, failure } = await world.time.until(world.ask([emits(503), emits(502), says("So.")]).ended);
    expect(receipt).toMatchObject({ complete: true, attempts: 3, waitedMs: 3000, targets: [{ provider: "acme" }] });
    expect(failure).toBeUndefined();
    expect(world.text).toBe("So.");
    expect(world.waits.map((wait) => waitText(wait, wait.delayMs))).toEqual([
      "503 Service Unavailable; retry 1 in 1 s",
      "502 Bad Gateway; retry 2 in 2 s",
    ]);
  });

  test("B8: the countdown shows the retry and how much of the policy's patience is used up", async () => {
    const world = new AskWorld();
    await world.time.until(world.ask([emits(503), emits(502), says("So.")], { policy: PATIENT }).ended);
    const [first, second] = world.waits as [WaitStart, WaitStart];
    expect(waitText(first, 1000)).toBe("503 Service Unavailable; retry 1 in 1 s · waited 0 s of 5 min");
    expect(waitText(second, 2000)).toBe("502 Bad Gateway; retry 2 in 2 s · waited 1 s of 5 min");
    expect(waitText(second, 400)).toBe("502 Bad Gateway; retry 2 in 1 s · waited 2 s of 5 min");
  });

  test("B8: the countdown shows --max-wait where that is shorter", async () => {
    const world = new AskWorld();
    await world.time.until(world.ask([emits(503), says("So.")], { policy: PATIENT, maxWaitMs: 90_000 }).ended);
    expect(world.waits.map((wait) => waitText(wait, 1000))).toEqual([
      "503 Service Unavailable; retry 1 in 1 s · waited 0 s of 1 min 30 s",
    ]);
  });

  test("B8: the countdown fits into a narrow terminal: the offer is shortened, then left out, then the patience", async () => {
    const world = new AskWorld();
    await world.time.until(world.ask([emits(503), says("So.")], { policy: PATIENT }).ended);
    const [wait] = world.waits as [WaitStart];
    const fits = (room: number): string => fitWait(wait, 1000, room);
    const whole = "503 Service Unavailable; retry 1 in 1 s · waited 0 s of 5 min";
    expect(fits(100)).toBe(`${whole}  Enter: now, Ctrl-C: cancel`);
    expect(fits(79)).toBe(`${whole}  Enter: now`);
    expect(fits(61)).toBe(whole);
    expect(fits(60)).toBe("503 Service Unavailable; retry 1 in 1 s");
    expect(fits(20)).toBe("503 Service Unavaila");
  });

  test("B5: the countdown of a retry without room in the budget shows that it waits for room", () => {
    const noRoom = { message: "Waiting for room to retry", evidence: "health:budget", kind: "overloaded" };
    const wait = { failure: noRoom, schedule: "", retry: 7, maxRetries: null, delayMs: 900, waitedMs: 48_000 };
    expect(waitText({ ...wait, patienceMs: 300_000 } as WaitStart, 900)).toBe(
      "Waiting for room to retry; next try in 1 s · waited 48 s of 5 min",
    );
  });

  test("B5: a wait that is longer in all than the patience, in a queue that drains, shows no limit", () => {
    const wait = {
      failure: classify({ status: 429 }),
      schedule: "",
      delayMs: 900,
      waitedMs: 400_000,
      patienceMs: 300_000,
    };
    expect(waitText(wait as WaitStart, 900)).toBe("429 Too Many Requests; next try in 1 s · waited 6 min 40 s");
  });

  test("B8: --max-wait bounds all waits together, and nothing is waited for in vain", async () => {
    const world = new AskWorld();
    const asked = await world.time.until(world.ask([emits(503)], { maxWaitMs: 3500 }).ended);
    expect(asked).toMatchObject({ isOutOfTime: true, receipt: { complete: false, attempts: 3, waitedMs: 3000 } });
    expect(world.time.nowMs).toBe(3000);
  });

  test("B8: a wait ends early by hand, and giving up ends it for good", async () => {
    const world = new AskWorld();
    const asking = world.ask([emits(503)], {
      onWait: (wait, generation) =>
        void (wait.retry < 3 ? queueMicrotask(() => generation.retryNow()) : world.waits.push(wait)),
    });
    await world.time.settle();
    expect(world.time.nowMs).toBe(0);
    asking.giveUp();
    expect(await world.time.until(asking.ended)).toMatchObject({ receipt: { outcome: "gave-up", attempts: 3 } });
  });

  test("B4: what was streamed stays; buffered, a broken answer is asked for again", async () => {
    const script = [partly("Half", ...emits(503)), says("Whole.")];
    const streamed = new AskWorld();
    const { receipt } = await streamed.time.until(streamed.ask(script).ended);
    expect({ text: streamed.text, receipt }).toMatchObject({ text: "Half", receipt: { truncated: true, attempts: 1 } });
    const buffered = new AskWorld();
    const again = await buffered.time.until(buffered.ask(script, { isBuffered: true }).ended);
    expect({ text: buffered.text, receipt: again.receipt }).toMatchObject({ text: "Whole.", receipt: { attempts: 2 } });
  });

  test.each<readonly [string, Piece[], boolean, string]>([
    [
      "cut at its length",
      partly("Half", { type: "finish", reason: "length" }),
      true,
      "Incomplete answer: the model reached its output limit",
    ],
    [
      "cut by a filter",
      partly("Half", { type: "finish", reason: "content-filter" }),
      true,
      "stopped by the content filter",
    ],
    ["the wish for a tool", calls(["1", "look"]), false, "No answer: the model requested a tool"],
    [
      "a thought alone",
      [
        { type: "reasoning", text: "Hm" },
        { type: "finish", reason: "end" },
      ],
      false,
      "returned no text",
    ],
    ["nothing but blank pieces", says(""), false, "returned no text"],
  ])(
    "B4: the receipt reports an answer that is %s as incomplete, streamed or buffered",
    async (_, pieces, truncated, words) => {
      for (const isBuffered of [false, true]) {
        const world = new AskWorld();
        const asked = await world.time.until(world.ask([pieces], { isBuffered }).ended);
        expect(asked.shortfall).toContain(words);
        expect(asked.receipt).toMatchObject({ complete: false, truncated, outcome: "not-retryable", attempts: 1 });
        expect(world.text).toBe(truncated ? "Half" : "");
      }
    },
  );

  test("B4: a policy is a preset by name, or a file; anything else is refused with the names", () => {
    expect(askPolicy("patient").name).toBe("patient");
    expect(() => askPolicy("nobody")).toThrow("one of default, tavern, session, patient, console, background");
    expect(() => askPolicy("./not-there.json")).toThrow("a file that can be read (ENOENT)");
  });
});
