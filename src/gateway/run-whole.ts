import { isAscii } from "node:buffer";
import { parseJson } from "../formats/index.ts";
import { type AttemptContext, CallGeneration, type CallSetup, type Reading } from "../kernel/index.ts";
import { AnswerError } from "../library/answer-error.ts";
import { judgeWhole } from "./answer/judge-whole.ts";
import { receiptLines } from "./answer/receipt-pairs.ts";
import { retyped } from "./answer/retyped.ts";
import { giveHead, takeHead } from "./answer/write-head.ts";
import { attemptWhole, isGood, refusal } from "./attempt.ts";
import type { Exchange } from "./exchange.ts";
import { sendFinal } from "./send-final.ts";
import { atTurnEnd } from "./turn-end.ts";
import type { Head } from "./upstream/read-head.ts";
import { headerRecord } from "./upstream/response-headers.ts";
import type { WholeAnswer } from "./upstream/whole-call.ts";

interface Whole extends WholeAnswer {
  /** The body, if it is small and ASCII: to be judged and to be written it need not be decoded twice. */
  readonly text: string | undefined;
  // For required content, see `textOfPiece`.
  readonly reading: Reading;
  readonly isQuery: boolean;
  readonly events: readonly unknown[] | undefined;
}

/** So many bytes go out in one write together with the head. */
const MOST_IN_ONE_WRITE = 16_384;

/** What a whole answer says, parsed. */
export function eventsIn(body: Buffer): readonly unknown[] {
  return [parseJson(body.toString("utf8"))];
}

/** A generation or a query without a stream: the answer is judged as a whole, and passed on as it came. */
export function runWhole(exchange: Exchange, setup: CallSetup, onContent: (() => void) | undefined): void {
  const keepsEvents = setup.policy.policy.require !== null;
  const isQuery = exchange.route.call?.what === "query";
  const judge = (answer: WholeAnswer): Whole => {
    const { head, body } = answer;
    if (!isGood(exchange, head.status)) throw refusal(answer);
    const text = body.length <= MOST_IN_ONE_WRITE && isAscii(body) ? body.toString("latin1") : undefined;
    const reading = judgeWhole(body, text);
    if (typeof reading === "object") throw new AnswerError(reading.problem, headerRecord(head.rawHeaders));
    onContent?.();
    return { head, body, text, reading, isQuery, events: keepsEvents ? eventsIn(body) : undefined };
  };
  const call = (context: AttemptContext): Promise<Whole> => attemptWhole(exchange, context, judge);
  runCall(exchange, setup, call, (generation) => {
    if (generation.ok) sendWhole(exchange, generation);
    else sendFinal(exchange, generation);
  });
}

function sendWhole(exchange: Exchange, generation: CallGeneration): void {
  const { head, body, text } = generation.value as Whole;
  const { response } = exchange;
  exchange.forgetGivenUp();
  const sent = asJson(head);
  const more = `${receiptLines(generation)}content-length: ${body.length}\r\n`;
  const start = takeHead(response, sent, more);
  const { socket } = response;
  if (start === undefined || socket === null) {
    giveHead(response, sent, more);
    return void response.end(body);
  }
  const write = (): void => {
    if (socket.destroyed) return;
    // One string is one write.
    if (body.length <= MOST_IN_ONE_WRITE) socket.write(start + (text ?? body.toString("latin1")), "latin1");
    else {
      socket.cork();
      socket.write(start, "latin1");
      socket.write(body);
      socket.uncork();
    }
    response.end();
  };
  if (exchange.gateway.inFlight === 1) write();
  else atTurnEnd(() => exchange.guard(write));
}

/** What was judged is JSON. SDKs that are told otherwise read nothing in it, without an error. */
function asJson(head: Head): Head {
  return head.type.includes("json") ? head : retyped(head, "application/json");
}

/** Runs a call. A client that leaves ends it. */
export function runCall(
  exchange: Exchange,
  setup: CallSetup,
  call: (context: AttemptContext) => Promise<unknown>,
  onEnd: (generation: CallGeneration) => void,
): void {
  const settle = (ended: unknown): void => exchange.guard(() => onEnd(ended as CallGeneration));
  const generation = new CallGeneration(setup, call, settle, undefined, exchange.wishes.id);
  exchange.follow(generation);
  generation.start();
}
