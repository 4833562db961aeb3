import { type ByteRead, EventPieces, type Piece } from "../formats/index.ts";
import { StreamGeneration, type StreamSetup } from "../kernel/index.ts";
import { AnswerError } from "../library/answer-error.ts";
import { drained } from "./answer/drained.ts";
import { judgeWhole } from "./answer/judge-whole.ts";
import { KeepAlive } from "./answer/keep-alive.ts";
import { receiptPairs } from "./answer/receipt-pairs.ts";
import { attempt } from "./attempt.ts";
import { endEarly } from "./end-early.ts";
import type { Errand } from "./exchange.ts";
import { eventsIn } from "./run-whole.ts";
import { sendFinal } from "./send-final.ts";
import { readWhole } from "./upstream/read-whole.ts";
import { headerIn, headerRecord, responseHeaders } from "./upstream/response-headers.ts";
import type { UpstreamAnswer } from "./upstream/upstream-call.ts";

const TRAILERS = "x-secondwind-outcome, x-secondwind-attempts, x-secondwind-calls, x-secondwind-waited-ms";

/** A streamed generation: held until its first content, then relayed with backpressure, and judged to its end. */
export async function runStreamed(errand: Errand, setup: StreamSetup<Piece>, onContent: () => void): Promise<void> {
  const { response, gateway, wishes } = errand;
  let from: UpstreamAnswer | undefined;
  const generation = new StreamGeneration<Piece>(
    setup,
    async (context) => {
      from = await attempt(errand, context);
      return piecesOf(errand, from, setup.policy.policy.require !== null);
    },
    undefined,
    wishes.id,
  );
  endEarly(errand, generation);
  const keepAlive = new KeepAlive(response, wishes.keepAliveMs);
  try {
    const { value } = await generation.next();
    keepAlive.stop();
    if (value === undefined || from === undefined) throw new Error("The answer ended before it began");
    onContent();
    if (!gateway.givenUp.isEmpty) gateway.givenUp.forget(errand.identity());
    if (!response.headersSent) writeHead(errand, from, generation);
    await relay(errand, generation, value.bytes);
  } catch {
    keepAlive.stop();
    sendFinal(errand, generation);
  }
}

async function relay({ response }: Errand, generation: StreamGeneration<Piece>, first: Uint8Array): Promise<void> {
  for (let bytes: Uint8Array | undefined = first; bytes !== undefined; ) {
    if (!response.write(bytes)) await drained(response);
    const next: IteratorResult<Piece, undefined> = await generation.next();
    bytes = next.done === true ? undefined : next.value.bytes;
  }
  response.addTrailers(trailersOf(generation));
  response.end();
}

function trailersOf({ receipt }: StreamGeneration<Piece>): [string, string][] {
  const pairs = receiptPairs(receipt);
  const trailers: [string, string][] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] as string;
    if (TRAILERS.includes(name)) trailers.push([name, pairs[at + 1] as string]);
  }
  return trailers;
}

function writeHead({ response }: Errand, from: UpstreamAnswer, { receipt }: StreamGeneration<Piece>): void {
  const headers = [...responseHeaders(from.rawHeaders, { isStream: true }), ...receiptPairs(receipt)];
  headers.push("trailer", TRAILERS);
  response.writeHead(from.status, from.statusText, headers);
}

async function piecesOf(
  { gateway }: Errand,
  answer: UpstreamAnswer,
  keepsEvents: boolean,
): Promise<AsyncIterable<Piece>> {
  const { rawHeaders, body } = answer;
  const judge = (reading: { readonly problem: unknown }) => ({
    problem: new AnswerError(reading.problem, headerRecord(rawHeaders)),
  });
  const options = { keepsEvents, ports: gateway.ports, judge };
  const type = headerIn(rawHeaders, "content-type") ?? "";
  if (type.includes("event-stream")) return new EventPieces(body, options);
  const first = await body.read();
  const start = first.done ? "" : Buffer.from(first.value.subarray(0, 16)).toString("latin1");
  if (!first.done && /^\s*(?:\xef\xbb\xbf)?(?:data|event|id|retry)?:/.test(start))
    return new EventPieces(body, options, first.value);
  return wholePiece(first, answer, judge);
}

/** Some servers do not stream all that is asked for. */
async function* wholePiece(
  first: ByteRead,
  answer: UpstreamAnswer,
  judge: (reading: { readonly problem: unknown }) => { readonly problem: unknown },
): AsyncGenerator<Piece> {
  const bytes = await readWhole(answer, first);
  const reading = judgeWhole(answer, bytes);
  yield { bytes, reading: typeof reading === "object" ? judge(reading) : reading, events: eventsIn(bytes) };
}
