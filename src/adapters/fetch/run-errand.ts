import { asksForEvents, followsTools, type Piece } from "../../formats/index.ts";
import {
  type AttemptContext,
  CallGeneration,
  type CallSetup,
  type Ended,
  StreamGeneration,
  type StreamSetup,
} from "../../kernel/index.ts";
import { isGivenUp, isLeftAbove } from "../../library/given-up.ts";
import { answerPieces, readWhole, type WholeAnswer } from "./answer-pieces.ts";
import { type Errand, identityOf } from "./errand.ts";
import { failedAnswer } from "./failed-answer.ts";
import { prepare } from "./prepare.ts";
import { refusalOf } from "./refusal.ts";
import { send } from "./send.ts";
import { toResponse, toStreamedResponse, toWholeResponse } from "./to-response.ts";
import type { Incoming } from "./transport/index.ts";

/** A streamed generation: the answer is held until its first content, and judged to its end. */
export async function runStreamed(errand: Errand, setup: StreamSetup<Piece>): Promise<Response> {
  const keepsEvents = setup.policy.policy.require !== null;
  const { call, wanted, url } = errand;
  const wantsEvents = call !== undefined && asksForEvents(call, wanted.scan, url.search);
  const mayBeSilent = () => followsTools(errand.request.text ?? "");
  const attempts = new Attempts(errand);
  const generation = new StreamGeneration<Piece | WholeAnswer>(
    setup,
    async (context) => {
      const response = await attempts.send(context);
      return answerPieces({ response, keepsEvents, wantsEvents, mayBeSilent, ports: errand.ports });
    },
    errand.request.signal,
    "",
  );
  try {
    const { value } = await generation.next();
    const { from } = attempts;
    if (from === undefined || value === undefined) throw new Error("The answer ended before it began");
    errand.givenUp.forget(identityOf(errand.request));
    if (!("text" in value)) return toStreamedResponse(from, value.bytes, generation);
    await generation.next();
    return toWholeResponse(from, value, generation);
  } catch (error) {
    return fail(errand, generation, { error });
  }
}

/** What a call ends with is thrown here, not by the engine. */
type WholeSetup = CallSetup & { readonly toError: (ended: Omit<Ended, "ok" | "value">) => unknown };

/** A generation or a query without a stream: the answer is judged as a whole. */
export async function runWhole(errand: Errand, setup: WholeSetup): Promise<Response> {
  const keepsEvents = setup.policy.policy.require !== null;
  const attempts = new Attempts(errand);
  const generation = await run(setup, errand, async (context) => {
    const response = await attempts.send(context);
    const answer = await readWhole({ response, keepsEvents });
    if (typeof answer.reading === "object") throw answer.reading.problem;
    return errand.call?.what === "query" ? { ...answer, isQuery: true } : answer;
  });
  const { from } = attempts;
  if (!generation.ok || from === undefined) return fail(errand, generation, { error: setup.toError(generation) });
  errand.givenUp.forget(identityOf(errand.request));
  return toWholeResponse(from, generation.value as WholeAnswer, generation);
}

/** Any other call: only its status is judged; its body is not looked at. */
export async function runOther(errand: Errand, setup: WholeSetup): Promise<Response> {
  let refused: Refused | undefined;
  const generation = await run(setup, errand, async (context) => {
    leave(refused);
    refused = undefined;
    const response = await attemptOther(errand, context);
    if (response.status < 400) return response;
    // Judged by a copy of its beginning: it may be a long page, or no text at all. Copies of other implementations can block each other.
    const copy = response instanceof Response ? response.clone() : response;
    const error = await refusalOf(copy, errand.ports);
    if (copy !== response) refused = { error, response };
    throw error;
  });
  if (generation.ok) return toResponse(generation.value as Response, generation);
  const isLast = refused !== undefined && generation.failure?.cause === refused.error;
  if (!isLast) leave(refused);
  const unread = isLast ? refused?.response.body : undefined;
  return fail(errand, generation, { error: setup.toError(generation), unread });
}

/** A refusal whose body is the caller's to read, if nothing follows it. */
interface Refused {
  readonly error: unknown;
  readonly response: Response;
}

function leave(refused: Refused | undefined): void {
  void refused?.response.body?.cancel().catch(() => undefined);
}

/** What a call's promise is resolved with: the generation itself, of whichever outcome. */
export const presentItself = (generation: CallGeneration): CallGeneration => generation;

function run(
  setup: CallSetup,
  { request }: Errand,
  call: (context: AttemptContext) => Promise<unknown>,
): Promise<CallGeneration> {
  return new Promise((resolve) => {
    new CallGeneration(setup, call, resolve as (outcome: unknown) => void, request.signal, "").start();
  });
}

/** The attempts of one generation, each a request to one target. */
class Attempts {
  /** What the last attempt got. One that was cancelled may still get an answer, if its `fetch` ignores its signal. */
  from: Incoming | undefined = undefined;
  private readonly errand: Errand;
  private last: AttemptContext | undefined = undefined;

  constructor(errand: Errand) {
    this.errand = errand;
  }

  async send(context: AttemptContext): Promise<Incoming> {
    const { errand } = this;
    this.last = context;
    const response = await send(errand.transports.judged, prepare(errand, context));
    // A generation has no use for a redirect that is not followed.
    if (!response.ok) throw await refusalOf(response, errand.ports);
    if (this.last === context) this.from = response;
    return response;
  }
}

/** The same for a call that may have asked for a redirect. */
function attemptOther(errand: Errand, context: AttemptContext): Promise<Response> {
  const outgoing = { ...prepare(errand, context), bodySignal: errand.request.signal };
  return send(errand.transports.other, outgoing);
}

/** The endpoint's own error as a response, or what the generation ended with. */
function fail(
  { request, givenUp, ports }: Errand,
  generation: StreamGeneration<Piece> | CallGeneration,
  { error, unread }: { readonly error: unknown; readonly unread?: Response["body"] | undefined },
): Response {
  const { reason, failure, receipt } = generation;
  if (isGivenUp(reason)) givenUp.add(identityOf(request), ports.now(), true);
  const response = failedAnswer({ failure, receipt, isLeftAbove: request.isReplayable && isLeftAbove(reason), unread });
  if (response === undefined) throw error;
  return response;
}
