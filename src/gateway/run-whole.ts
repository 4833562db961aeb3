import { type AttemptContext, CallGeneration, type CallSetup, type StopReason } from "../kernel/index.ts";
import { AnswerError } from "../library/answer-error.ts";
import { type FinalError, finalError } from "./answer/final-error.ts";
import { judgeWhole } from "./answer/judge-whole.ts";
import { receiptPairs } from "./answer/receipt-pairs.ts";
import { attempt } from "./attempt.ts";
import type { Errand } from "./exchange.ts";
import { readWhole } from "./upstream/read-whole.ts";
import { headerRecord, responseHeaders } from "./upstream/response-headers.ts";
import type { UpstreamAnswer } from "./upstream/upstream-call.ts";

/** After these a client that comes back unchanged would only start over. */
const GIVEN_UP: ReadonlySet<StopReason> = new Set([
  "retries-exhausted",
  "patience",
  "hopeless",
  "retry-budget",
  "delay-cap",
]);

interface Whole {
  readonly answer: UpstreamAnswer;
  readonly body: Buffer;
}

/** A generation or a query without a stream: the answer is judged as a whole, and passed on as it came. */
export async function runWhole(errand: Errand, setup: CallSetup, onContent: () => void): Promise<void> {
  const generation = await runCall(errand, setup, async (context) => {
    const answer = await attempt(errand, context);
    const body = await readWhole(answer);
    const reading = judgeWhole(answer, body);
    if (typeof reading === "object") throw new AnswerError(reading.problem, headerRecord(answer.rawHeaders));
    onContent();
    return { answer, body } satisfies Whole;
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
  { response, wishes }: Errand,
  setup: CallSetup,
  call: (context: AttemptContext) => Promise<unknown>,
): Promise<CallGeneration> {
  return new Promise((resolve) => {
    const generation = new CallGeneration(setup, call, resolve as (outcome: unknown) => void, undefined, wishes.id);
    response.once("close", () => generation.onAbort(new Error("The client left")));
    generation.start();
  });
}

/** Ends a request that has no answer: with the endpoint's error, or ours. */
export function sendFinal(
  { gateway, response, route, identity }: Errand,
  generation: Pick<CallGeneration, "failure" | "reason" | "receipt">,
): void {
  if (generation.reason === "aborted") return void response.destroy();
  const error = finalFor(
    gateway.givenUp.isEmpty ? undefined : gateway.givenUp.find(identity(), gateway.ports.now(), true),
  );
  if (generation.reason !== undefined && GIVEN_UP.has(generation.reason) && generation.receipt.attempts > 0)
    gateway.givenUp.add(identity(), gateway.ports.now(), error);
  response.writeHead(error.status, [...error.headers]);
  response.end(error.body);

  /** A request that came back and was not even tried gets the error that it had before. */
  function finalFor(before: FinalError | undefined): FinalError {
    const now = finalError(route.endpoint.format, generation);
    return before !== undefined && generation.receipt.attempts === 0 ? { ...before, headers: before.headers } : now;
  }
}
