import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { often } from "../support/soak.ts";
import { type FormatCall, STREAMED, WHOLE } from "./support/calls.ts";
import { inCrowd } from "./support/crowd.ts";
import {
  type CutHow,
  type CuttingUpstream,
  startCuttingUpstream,
  type Transcript,
} from "./support/cutting-upstream.ts";
import { askRaw, type RawAnswer } from "./support/raw-request.ts";
import { endpointsAt, startGateway, type TestGateway } from "./support/start-gateway.ts";

const transcripts = new Map<string, Transcript>();
let upstream: CuttingUpstream;
let gateway: TestGateway;

const nameOf = (call: FormatCall, isStream: boolean): string => `${call.name} ${isStream}`;
const PROMPT = "echo: h風🌊 you";

beforeAll(async () => {
  const sim = await startSimulator({ timeScale: 0, firstTokenMs: 0, tokenMs: 0 });
  for (const [calls, isStream] of [
    [STREAMED, true],
    [WHOLE, false],
  ] as const)
    for (const call of calls) {
      const { body, headers } = await askRaw(sim.port, call.path("ok"), call.options("ok", PROMPT));
      transcripts.set(nameOf(call, isStream), { type: headers["content-type"] ?? "", body });
    }
  await sim.close();
  upstream = await startCuttingUpstream((name) => transcripts.get(name) as Transcript);
  gateway = await startGateway({ endpoints: endpointsAt(upstream.url) });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

let count = 0;

function ask(call: FormatCall, isStream: boolean, more: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const { headers, body } = call.options("ok", PROMPT);
  const id = `c${count++}`;
  return askRaw(gateway.port, call.path("ok"), {
    body,
    headers: { ...headers, "x-id": id, "x-transcript": nameOf(call, isStream), ...more },
  });
}

/** The answer's bytes to the end of its text: what may be missing after it is the usage and the terminal event. */
const textEnd = (body: Buffer): number => body.indexOf("you");
const ERROR_EVENT: Readonly<Record<string, RegExp>> = {
  "OpenAI chat": /\n\ndata: \{"error":\{"message":.*"type":"secondwind_error".*\}\}\n\n$/s,
  "OpenAI responses": /\n\nevent: error\ndata: \{"type":"error",.*"type":"secondwind_error".*\}\n\n$/s,
  Anthropic:
    /\n\nevent: error\ndata: \{"type":"error","error":\{"type":"api_error",.*"by":"secondwind_error"\}\}\n\n$/s,
  Gemini: /\n\ndata: \{"error":\{"code":\d+,.*"type":"secondwind_error".*\}\}\n\n$/s,
};

/** Every byte in a soak; else so many of them, each time other ones. */
function places(length: number, most: number): readonly number[] {
  const every = Math.max(1, Math.floor(length / often(most, length)));
  const first = Math.floor(Math.random() * every);
  return Array.from({ length: Math.ceil((length - first) / every) }, (_, at) => first + at * every);
}

describe("E14: an answer that is cut", () => {
  test.each(STREAMED)("E15b: at any byte, a stream of $name is a prefix and an error, or whole", async (call) => {
    const { body } = transcripts.get(nameOf(call, true)) as Transcript;
    const outcomes = { whole: 0, cut: 0 };
    const cuts = (["reset", "end", "close"] satisfies CutHow[]).flatMap((how) =>
      places(body.length, 60).map((at) => [how, at] as const),
    );
    await inCrowd(cuts, 24, async ([how, at]) => {
      const answer = await ask(call, true, { "x-cut": `${how}-${at}` });
      const what = `${how} at ${at}`;
      expect(answer.status, what).toBe(200);
      if (answer.isWhole) {
        outcomes.whole += 1;
        expect(body.subarray(0, answer.body.length).equals(answer.body), what).toBe(true);
        expect(answer.body.length, what).toBeGreaterThan(textEnd(body));
        expect(answer.trailers["x-secondwind-outcome"], what).toBe("succeeded");
        return;
      }
      outcomes.cut += 1;
      const text = answer.body.toString();
      expect(text, what).toMatch(ERROR_EVENT[call.name] as RegExp);
      const event = text.lastIndexOf("\n\n", text.length - 3) + 2;
      expect(body.toString().startsWith(text.slice(0, event)), what).toBe(true);
      // The last event counts without its blank line.
      expect(Buffer.byteLength(text.slice(0, event)), what).toBeLessThanOrEqual(at + 2);
    });
    expect(Math.min(outcomes.whole, outcomes.cut)).toBeGreaterThan(10);
  });

  test.each(WHOLE)("E15b: at any byte, a whole answer of $name is asked for again", async (call) => {
    const { body } = transcripts.get(nameOf(call, false)) as Transcript;
    const cuts = (["reset", "end", "close", "short"] satisfies CutHow[]).flatMap((how) =>
      places(body.length, 25).map((at) => [how, at] as const),
    );
    // A body that ends where JSON could end is the hard case.
    for (let at = body.indexOf("}"); at !== -1; at = body.indexOf("}", at + 1)) cuts.push(["end", at + 1]);
    await inCrowd(cuts, 24, async ([how, at]) => {
      const answer = await ask(call, false, { "x-cut": `${how}-${at}` });
      expect(answer, `${how} at ${at}`).toMatchObject({ status: 200, isWhole: true });
      expect(answer.body.toString(), `${how} at ${at}`).toBe(body.toString());
    });
  });

  // In a soak a hundred thousand splits in all.
  test.each(STREAMED)(
    "E14: however it is split, a stream of $name comes through unchanged",
    {
      timeout: often(20_000, 1_800_000),
    },
    async (call) => {
      const { body } = transcripts.get(nameOf(call, true)) as Transcript;
      const lengths = fc.array(fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 1, max: 400 })), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(lengths, async (split) => {
          const answer = await ask(call, true, { "x-split": split.join(",") });
          expect(answer).toMatchObject({ status: 200, isWhole: true });
          expect(answer.body.equals(body)).toBe(true);
        }),
        { numRuns: often(25, 25_000) },
      );
      const single = await ask(call, true, { "x-split": Array(body.length).fill(1).join(",") });
      expect(single.body.equals(body)).toBe(true);
    },
  );

  test("E19: none of this was a fault of the gateway", () => {
    expect(gateway.faults).toEqual([]);
    expect(gateway.gateway.inFlight).toBe(0);
  });
});
