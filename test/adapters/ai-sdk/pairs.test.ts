import { isDeepStrictEqual } from "node:util";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { generateText, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { anthropic, google, type Maker, openaiChat, QUICK, responses } from "./support.ts";

const world = useSimulator();
/**
 * For what never ends by itself. A busy machine may look silent for as long: then the longer limits count. Elsewhere nothing is
 * silent, and the limits are those of the policy.
 */
const WATCHED = [100, 300, 900].map((ms) => ({ ...QUICK, watchdog: { firstContentMs: ms, idleMs: ms } }));
const ALL = "wind → 風 and more words";
const HANGS = "no end";

/** What a user sees: the text, how it ended, whether an error was reported. */
interface Answer {
  readonly text: string;
  readonly end: string;
  readonly isError: boolean;
}
/** The same, or that nothing comes. */
type Seen = Answer | typeof HANGS;

/** What is seen, or that there is no end. */
async function within(seen: Promise<Seen>): Promise<Seen> {
  return Promise.race([seen, new Promise<Seen>((resolve) => setTimeout(() => resolve(HANGS), 150))]);
}

async function stream(model: LanguageModelV3, abortSignal: AbortSignal): Promise<Answer> {
  let isError = false;
  const onError = (): void => {
    isError = true;
  };
  const result = streamText({ model, prompt: `echo: ${ALL}`, maxRetries: 0, abortSignal, onError });
  let text = "";
  for await (const piece of result.textStream) text += piece;
  return { text, end: await Promise.resolve(result.finishReason).catch(() => "none"), isError };
}

function generate(model: LanguageModelV3, abortSignal: AbortSignal): Promise<Answer> {
  return generateText({ model, prompt: `echo: ${ALL}`, maxRetries: 0, abortSignal }).then(
    ({ text, finishReason }) => ({ text, end: finishReason, isError: false }),
    ({ isRetryable }) => ({ text: "", end: isRetryable ? "try again" : "final", isError: true }),
  );
}

const WHOLE = { text: ALL, end: "stop", isError: false };
const failed = (text: string) => ({ text, end: "error", isError: true });
const silent = (text: string, end = "other") => ({ text, end, isError: false });
const refused = (end: "try again" | "final") => ({ text: "", end, isError: true });

type Ask = (model: LanguageModelV3, abortSignal: AbortSignal) => Promise<Answer>;
/** The fault, at whom, by which function; what is seen without us, and with us after how many calls. */
type Pair = readonly [string, string, Maker, Ask, Seen, Answer, number];

const PAIRS: readonly Pair[] = [
  ["a stream without its terminal event", "fault-37", responses, stream, silent(ALL), failed(ALL), 1],
  ["a stream that ends in the middle", "fault-21", google, stream, silent("wind → 風"), failed("wind → 風"), 1],
  ["a stream without content", "fault-41@1", anthropic, stream, silent("", "stop"), WHOLE, 2],
  ["a stream that stalls", "stall-2", openaiChat, stream, HANGS, failed("wind →"), 1],
  ["a stream that never begins", "silent@1", anthropic, stream, HANGS, WHOLE, 2],
  ["a stream of nothing but comments", "fault-30@1", responses, stream, HANGS, WHOLE, 2],
  ["an error event before content", "fault-35@1", google, stream, failed(""), WHOLE, 2],
  ["the page of a proxy with 200", "fault-16-200@1", openaiChat, stream, silent(""), WHOLE, 2],
  ["an empty 200", "fault-17@1", google, stream, silent(""), WHOLE, 2],
  ["an error with 200, streamed", "fault-18@1", responses, stream, silent(""), WHOLE, 2],
  ["an error with 200", "fault-18@1", openaiChat, generate, refused("final"), WHOLE, 2],
  ["an error with 200 at Google", "fault-18@1", google, generate, silent(""), WHOLE, 2],
  ["an answer without content", "empty@1", anthropic, generate, silent("", "stop"), WHOLE, 2],
  ["a call that is never answered", "silent@1", openaiChat, generate, HANGS, WHOLE, 2],
  ["a used-up quota", "quota", responses, generate, refused("try again"), refused("final"), 1],
];

describe("without and with Secondwind", () => {
  test.each(PAIRS)("E15b: %s (%s)", async (_what, fault, make, ask, without, withUs, calls) => {
    const leave = new AbortController();
    const bare = ask(make(world.sim, fault), leave.signal);
    expect(await (without === HANGS ? within(bare) : bare)).toEqual(without);
    leave.abort();
    let seen: unknown;
    for (const policy of without === HANGS ? WATCHED : [QUICK]) {
      world.sim.reset();
      const answer = await ask(resilientModel(make(world.sim, fault), policy), new AbortController().signal);
      seen = { ...answer, calls: world.sim.requests.length };
      if (isDeepStrictEqual(seen, { ...withUs, calls })) break;
    }
    expect(seen).toEqual({ ...withUs, calls });
  });
});
