import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { carryAsk } from "../../src/hosts/ask/carry-ask.ts";
import { definePolicy, type Policy, preparePolicy } from "../../src/kernel/index.ts";
import { consolePolicy, sessionPolicy } from "../../src/presets/index.ts";
import { openModelCall } from "../../src/providers/index.ts";
import { VirtualWorld } from "../../src/simulator/world/index.ts";
import { systemPorts } from "../../src/system/index.ts";
import { ConsoleWorld, ScriptedInput } from "../hosts/console/console-world.ts";
import { SessionWorld } from "../session/sessions.ts";
import { type Call, emits, type Piece, ScriptedProvider, says } from "../support/scripted-provider.ts";
import { evenChance, LONG_CHAINS, read } from "../support/world.ts";
import { TurnWorld } from "../turn/turns.ts";

const SIGNATURE: Piece = { type: "reasoning", text: "", providerData: { signature: "c2ln" } };
const THOUGHT: Piece = { type: "reasoning", text: "The magic word is please" };

interface Asked {
  readonly text: string;
  readonly calls: number;
}

async function ask(script: readonly Call[], policy: Policy = consolePolicy()): Promise<Asked> {
  const time = new VirtualWorld(LONG_CHAINS);
  const provider = new ScriptedProvider("acme", script, time);
  let text = "";
  const asking = carryAsk({
    ...{ question: "Why?", provider, policy, maxWaitMs: Number.POSITIVE_INFINITY, isBuffered: false },
    target: { provider: "acme", model: "large", credentials: ["key-1"] },
    ports: { ...time.ports, random: evenChance },
    onText: (piece) => {
      text += piece;
    },
    onWait: () => undefined,
    onWaitEnd: () => undefined,
  });
  await time.until(asking.ended);
  return { text, calls: provider.requests.length };
}

async function console(script: readonly Call[]): Promise<Asked> {
  const world = new ConsoleWorld();
  const provider = world.provider("acme", ...script);
  await world.run(new ScriptedInput(["Why?"], false));
  return { text: world.out.trim(), calls: provider.requests.length };
}

async function turn(script: readonly Call[]): Promise<Asked> {
  const world = new TurnWorld(...script);
  await world.run({ retry: world.strategy(1, 1) });
  const text = world.event("text-delta").map((event) => event.text);
  return { text: text.join(""), calls: world.provider.requests.length };
}

async function session(script: readonly Call[], policy: Policy = sessionPolicy()): Promise<Asked> {
  const world = new SessionWorld();
  const provider = world.provider("acme", script);
  const opened = await world.open({}, { policy: () => policy });
  await world.time.until(opened.prompt("Why?"));
  const text = world.event("message_delta").map(({ kind, delta }) => (kind === "text" ? delta : ""));
  return { text: text.join(""), calls: provider.requests.length };
}

describe("one model call for every host", () => {
  test.each(Object.entries({ ask, console, turn, session }))(
    "E14: a signature alone does not commit, so %s retries the failure that follows it",
    async (_, carry) => {
      expect(await carry([[SIGNATURE, ...emits(503)], says("Yes.")])).toEqual({ text: "Yes.", calls: 2 });
    },
  );

  const REQUIRES = { require: { text: "please" }, watchdog: { firstContentMs: null, idleMs: null } } as const;

  // What `ask` has printed stays printed: there the miss is final.
  test.each([
    ["ask", 1, (script: readonly Call[]) => ask(script, definePolicy(REQUIRES, consolePolicy()))],
    ["session", 2, (script: readonly Call[]) => session(script, definePolicy(REQUIRES, sessionPolicy()))],
  ] as const)("E16: reasoning never satisfies a requirement in %s", async (_, expected, carry) => {
    const { calls } = await carry([
      [THOUGHT, ...says("No.")],
      [THOUGHT, ...says("Yes, please.")],
    ]);
    expect(calls).toBe(expected);
  });

  test.each(["committed", "buffered", "retractable"] as const)(
    "E16: reasoning never satisfies a requirement with a %s sink",
    async (sink) => {
      const time = new VirtualWorld(LONG_CHAINS);
      const provider = new ScriptedProvider("acme", [[THOUGHT, ...says("No.")]], time);
      const generation = openModelCall({
        ...{ sink, ports: time.ports, providerOf: () => provider, request: { messages: [] } },
        targets: [{ provider: "acme", model: "large", credentials: [""] }],
        policy: preparePolicy(definePolicy({ ...REQUIRES, enabled: false }, consolePolicy())),
      });
      await time.until(read(generation));
      expect(generation.failure).toMatchObject({ kind: "invalid_content" });
    },
  );

  test("E14: no other file outside the engine makes a stream generation", () => {
    const src = join(import.meta.dirname, "../../src");
    const makers = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/^(?:kernel|library|adapters)\//.test(name))
      .filter((name) => readFileSync(join(src, name), "utf8").includes("new StreamGeneration"));
    // The gateway calls no model: it passes on the bytes of a client's own request.
    expect(makers.sort()).toEqual(["gateway/run-streamed.ts", "providers/open-model-call.ts"]);
  });

  test("E17: a target whose provider is not known fails with its name", async () => {
    const time = new VirtualWorld(LONG_CHAINS);
    const generation = openModelCall({
      ...{ sink: "committed", ports: time.ports, providerOf: () => undefined, request: { messages: [] } },
      targets: [{ provider: "nobody", model: "x", credentials: [""] }],
      policy: preparePolicy(definePolicy({ enabled: false }, consolePolicy())),
    });
    await time.until(read(generation));
    expect(generation.failure?.message).toBe("Unknown provider: nobody");
  });
});

test("S10: events that have all arrived leave the event loop its turn", async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    pending = setImmediate(count);
  };
  let pending = setImmediate(count);
  const generation = openModelCall({
    ...{ sink: "committed", ports: systemPorts(), request: { messages: [] } },
    providerOf: () => new ScriptedProvider("acme", [says(...Array.from({ length: 320 }, () => "word "))]),
    targets: [{ provider: "acme", model: "x", credentials: [""] }],
    policy: preparePolicy(consolePolicy()),
  });
  await read(generation);
  clearImmediate(pending);
  expect(turns).toBeGreaterThanOrEqual(10);
});
