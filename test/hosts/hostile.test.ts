import fc from "fast-check";
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { AskScreen } from "../../src/hosts/ask/ask-screen.ts";
import { carryAsk } from "../../src/hosts/ask/carry-ask.ts";
import { defaultPolicy } from "../../src/index.ts";
import type { Terminal } from "../../src/terminal/index.ts";
import { FOREIGN, hostileText } from "../support/hostile-text.ts";
import { type Call, emits, type Piece, says } from "../support/scripted-provider.ts";
import { often } from "../support/soak.ts";
import { ConsoleWorld, ScriptedInput } from "./console/console-world.ts";

const TEXTS = fc.sample(hostileText, { numRuns: often(480, 10_000), seed: 7 });
const BATCH = 40;
// biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
const OURS = /\u001b\[(?:33|91|39)m/g;

const batches = Array.from({ length: TEXTS.length / BATCH }, (_, index) =>
  TEXTS.slice(index * BATCH, (index + 1) * BATCH),
);
const fails = (status: number, text: string): Piece[] => [
  { type: "error", status, code: text, message: text, retryable: status !== 400, cause: new Error(text) },
];
const refuses = (text: string): Piece[] => fails(400, text);
const PASSING = [429, 502, 503, 529] as const;
/** A model's name may be as hostile as anything else that is typed, stored or pasted. */
const MODEL = "acme/\u001b[31m\u001b]0;title\u0007red\u009b2J\u202e";
/** One character a piece: every sequence is cut everywhere. */
const spells = (text: string): Piece[] => says(...Array.from({ length: text.length }, (_, at) => text.charAt(at)));

async function printed(toCall: (text: string) => Call): Promise<string> {
  let all = "";
  for (const batch of batches) {
    const world = new ConsoleWorld();
    world.hasColours = true;
    world.provider("acme", ...batch.map(toCall));
    await world.run(
      new ScriptedInput(
        batch.map(() => "Hello"),
        false,
      ),
      { model: MODEL },
    );
    all += world.out + world.err;
  }
  return all;
}

/** Each batch is one long outage; three failures of ours come first, because the waits after them are too short for a warning. */
async function warned(): Promise<string> {
  let all = "";
  for (const batch of batches) {
    const world = new ConsoleWorld();
    world.hasColours = true;
    const outage = batch.map((text, index) => fails(PASSING[index % PASSING.length] ?? 503, text));
    world.provider("acme", emits(503), emits(503), emits(503), ...outage, says("Yes."));
    await world.run(new ScriptedInput(["Hello", "/info", "/model"]), { model: MODEL });
    all += world.out + world.err;
  }
  return all;
}

describe("hostile texts", () => {
  test("C3: as errors of the console's provider, nothing but our own colours reaches the terminal", async () => {
    const all = await printed(refuses);
    expect(all.split("\u001b[91m")).toHaveLength(TEXTS.length + 1);
    expect(all.replace(OURS, "")).not.toMatch(FOREIGN);
  });

  test("C3: as answers, cut inside of every sequence, no escape gets through", async () => {
    const all = await printed(spells);
    expect(all.length).toBeGreaterThan(TEXTS.length);
    expect(all.replace(OURS, "")).not.toMatch(FOREIGN);
  });

  test("C8: as failures that are retried, and in the model's name, the warnings and /info stay clean", async () => {
    const all = await warned();
    expect(all.split("⚠️  API request failed (")).toHaveLength(TEXTS.length + 1);
    // The greeting, /info and /model.
    expect(all.split("acme/red")).toHaveLength(3 * batches.length + 1);
    expect(all.replace(OURS, "")).not.toMatch(FOREIGN);
  });

  test("B4: ask keeps them from stdout and stderr as well, also as JSON", async () => {
    let all = "";
    const terminal: Terminal = {
      write: (text) => {
        all += text;
      },
      columns: 80,
      colours: pc.createColors(true),
      isLive: false,
    };
    for (const [index, text] of TEXTS.entries()) {
      const pieces = index % 2 === 0 ? refuses(text) : spells(text);
      const screen = new AskScreen({ out: terminal, err: terminal, redact: (value) => value, isJson: index % 3 === 0 });
      const asking = carryAsk({
        ...{ question: "?", policy: defaultPolicy(), maxWaitMs: 0, isBuffered: index % 3 === 0 },
        provider: {
          name: "acme",
          stream: async function* () {
            yield* pieces as never[];
          },
        },
        target: { provider: "acme", model: text.replace(/\s/g, "") || "m", credentials: [""] },
        onText: (said) => screen.text(said),
        onWait: () => undefined,
        onWaitEnd: () => undefined,
      });
      screen.end(await asking.ended, false);
    }
    expect(all.split("\n").length).toBeGreaterThan(TEXTS.length);
    expect(all.replace(OURS, "")).not.toMatch(FOREIGN);
  });
});
