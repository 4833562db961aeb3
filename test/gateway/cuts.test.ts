import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { endOf, fewPlacesIn } from "../faults/support/cut-places.ts";
import { type Transcript as Recorded, recordTranscripts } from "../faults/support/transcripts.ts";
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
let recorded: readonly Recorded[] = [];
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
  recorded = await recordTranscripts();
  for (const { name, bytes } of recorded)
    transcripts.set(name, { type: "text/event-stream", body: Buffer.from(bytes) });
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

/** What the recorded answers of a format begin their names with. */
const RECORDED_AS: Readonly<Record<string, string>> = {
  "OpenAI chat": "chat,",
  "OpenAI responses": "responses,",
  Anthropic: "anthropic,",
  Gemini: "gemini,",
};
const ERROR_EVENT: Readonly<Record<string, RegExp>> = {
  "OpenAI chat": /\n\ndata: \{"error":\{"message":.*"type":"secondwind_error".*\}\}\n\n$/s,
  "OpenAI responses": /\n\nevent: error\ndata: \{"type":"error",.*"type":"secondwind_error".*\}\n\n$/s,
  Anthropic:
    /\n\nevent: error\ndata: \{"type":"error","error":\{"type":"api_error",.*"by":"secondwind_error"\}\}\n\n$/s,
  Gemini: /\n\ndata: \{"error":\{"code":\d+,.*"type":"secondwind_error".*\}\}\n\n$/s,
};

interface Cut {
  readonly how: CutHow;
  readonly at: number;
  readonly answer: Recorded;
}

/** Asks for an answer that is cut, and checks what comes of it. */
async function outcomeOf(call: FormatCall, { how, at, answer }: Cut): Promise<"retried" | "whole" | "cut"> {
  const { pathname, search } = new URL(answer.url);
  const id = `r${count++}`;
  const came = await askRaw(gateway.port, pathname + search, {
    body: answer.request,
    headers: { ...call.options("ok").headers, "x-id": id, "x-transcript": answer.name, "x-cut": `${how}-${at}` },
  });
  const what = `${answer.name}: ${how} at ${at}`;
  const body = Buffer.from(answer.bytes);
  expect(came.status, what).toBe(200);
  if (upstream.calls.get(id) === 2) {
    // Nothing of the first attempt is in it.
    expect(came.isWhole && came.body.equals(body), what).toBe(true);
    return "retried";
  }
  // Without its blank line the last event counts only if the body has ended.
  expect(came.isWhole, what).toBe(at >= endOf(answer) + (how === "reset" ? 2 : 0));
  if (came.isWhole) {
    expect(came.body.length, what).toBeGreaterThanOrEqual(endOf(answer));
    expect(body.subarray(0, came.body.length).equals(came.body), what).toBe(true);
    expect(came.trailers["x-secondwind-outcome"], what).toBe("succeeded");
    return "whole";
  }
  const text = came.body.toString();
  expect(text, what).toMatch(ERROR_EVENT[call.name] as RegExp);
  const event = text.lastIndexOf("\n\n", text.length - 3) + 2;
  expect(body.toString().startsWith(text.slice(0, event)), what).toBe(true);
  // The last event counts without its blank line.
  expect(Buffer.byteLength(text.slice(0, event)), what).toBeLessThanOrEqual(at + 2);
  return "cut";
}

/** Every byte in a soak; else so many of them, each time other ones. */
function places(length: number, most: number): readonly number[] {
  const every = Math.max(1, Math.floor(length / often(most, length)));
  const first = Math.floor(Math.random() * every);
  return Array.from({ length: Math.ceil((length - first) / every) }, (_, at) => first + at * every);
}

describe("E14: an answer that is cut", () => {
  // Twenty answers in all, and in a soak every byte of them.
  test.each(STREAMED)(
    "E15b: at any byte, a stream of $name is a prefix and an error, or whole",
    { timeout: often(20_000, 1_800_000) },
    async (call) => {
      const ofFormat = recorded.filter(({ name }) => name.startsWith(RECORDED_AS[call.name] as string));
      expect(ofFormat).toHaveLength(5);
      const outcomes = { retried: 0, whole: 0, cut: 0 };
      const cuts = (["reset", "end", "close"] satisfies CutHow[]).flatMap((how) =>
        ofFormat.flatMap((answer) => {
          // The terminal event with its blank line and without: there whole begins.
          const all = new Set([...fewPlacesIn(answer, 10), endOf(answer), endOf(answer) + 2]);
          return [...all].map((at) => ({ how, at, answer }));
        }),
      );
      await inCrowd(cuts, 24, async (cut) => {
        outcomes[await outcomeOf(call, cut)] += 1;
      });
      expect(Math.min(outcomes.cut, outcomes.retried)).toBeGreaterThan(10);
      expect(outcomes.whole).toBeGreaterThan(0);
    },
  );

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
