import { parseJson } from "../formats/index.ts";
import { type AttemptContext, CallGeneration, type CallSetup, type Reading } from "../kernel/index.ts";
import { AnswerError } from "../library/answer-error.ts";
import { judgeWhole } from "./answer/judge-whole.ts";
import { receiptPairs } from "./answer/receipt-pairs.ts";
import { attempt } from "./attempt.ts";
import { endEarly } from "./end-early.ts";
import type { Errand } from "./exchange.ts";
import { sendFinal } from "./send-final.ts";
import { readWhole } from "./upstream/read-whole.ts";
import { headerRecord, responseHeaders } from "./upstream/response-headers.ts";
import type { UpstreamAnswer } from "./upstream/upstream-call.ts";

interface Whole {
  readonly answer: UpstreamAnswer;
  readonly body: Buffer;
  // For required content, see `textOfPiece`.
  readonly reading: Reading;
  readonly isQuery: boolean;
  readonly events?: readonly unknown[];
}

/** What a whole answer says, parsed. */
export function eventsIn(body: Buffer): readonly unknown[] {
  return [parseJson(body.toString("utf8"))];
}

/** A generation or a query without a stream: the answer is judged as a whole, and passed on as it came. */
export async function runWhole(errand: Errand, setup: CallSetup, onContent: () => void): Promise<void> {
  const keepsEvents = setup.policy.policy.require !== null;
  const generation = await runCall(errand, setup, async (context) => {
    const answer = await attempt(errand, context);
    const body = await readWhole(answer);
    const reading = judgeWhole(answer, body);
    if (typeof reading === "object") throw new AnswerError(reading.problem, headerRecord(answer.rawHeaders));
    onContent();
    const isQuery = errand.route.call?.what === "query";
    return { answer, body, reading, isQuery, ...(keepsEvents && { events: eventsIn(body) }) } satisfies Whole;
  });
  if (!generation.ok) return sendFinal(errand, generation);
  const { answer, body } = generation.value as Whole;
  const { status, statusText, rawHeaders } = answer;
  const { givenUp } = errand.gateway;
  if (!givenUp.isEmpty) givenUp.forget(errand.identity());
  const headers = [...responseHeaders(rawHeaders, { isStream: true }), ...receiptPairs(generation.receipt)];
  headers.push("content-length", String(body.length));
  errand.response.writeHead(status, statusText, headers);
  errand.response.end(body);
}

/** Runs a call. A client that leaves ends it. */
export function runCall(
  errand: Errand,
  setup: CallSetup,
  call: (context: AttemptContext) => Promise<unknown>,
): Promise<CallGeneration> {
  return new Promise((resolve) => {
    const generation = new CallGeneration(
      setup,
      call,
      resolve as (outcome: unknown) => void,
      undefined,
      errand.wishes.id,
    );
    endEarly(errand, generation);
    generation.start();
  });
}
