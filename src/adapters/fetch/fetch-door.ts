import { type Piece, recogniseCall } from "../../formats/index.ts";
import {
  CallGeneration,
  definePolicy,
  type Listener,
  MemoryHealth,
  type Policy,
  type PolicyInput,
  type Setup,
  type StopReason,
  StreamGeneration,
} from "../../kernel/index.ts";
import { Listeners } from "../../library/listeners.ts";
import { toError } from "../../library/secondwind-error.ts";
import { setupOf } from "../../library/setup.ts";
import { answerPieces } from "./answer-pieces.ts";
import { GivenUp } from "./given-up.ts";
import { type CheckedOptions, checkFetchOptions, type FetchOptions } from "./options.ts";
import { OwnKeys, ownKeyOf, type Plan, planRoutes, readWanted } from "./plan-routes.ts";
import { type Errand, prepare } from "./prepare.ts";
import { type PlainRequest, readRequest } from "./read-request.ts";
import { refusalOf } from "./refusal.ts";
import { send } from "./send.ts";
import { textOfPiece } from "./text-of-piece.ts";
import { bodyOf, failedAnswer, toResponse } from "./to-response.ts";

/**
 * How far the policy goes for a call: all the way; without any wait, for one that was given up a moment ago and comes back; or
 * not at all, for one that can't be repeated.
 */
type Effort = "full" | "no-wait" | "once";

const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"]);
/** After these the same request would only be retried once more by a layer above. */
const GIVEN_UP: ReadonlySet<StopReason> = new Set([
  "retries-exhausted",
  "patience",
  "hopeless",
  "retry-budget",
  "delay-cap",
]);
const ONE_SHOT = "The request body is a stream that can be read only once, so the call is not retried";
const MOST_PLANS = 1000;

/** What all calls of one `fetch` share. */
export class FetchDoor {
  readonly policy: Policy;
  readonly listeners: Listeners;
  private readonly options: CheckedOptions;
  private readonly setups: Readonly<Record<Effort, Setup>>;
  private readonly plans = new Map<string, Plan>();
  private readonly ownKeys = new OwnKeys();
  private readonly givenUp = new GivenUp();
  private listener: Listener | undefined;

  constructor(policy: Policy | PolicyInput | undefined, options: FetchOptions) {
    this.options = checkFetchOptions(options);
    const { health = new MemoryHealth(), on, ports, cancelGraceMs } = options;
    const engine = { health, ...(ports && { ports }), ...(cancelGraceMs !== undefined && { cancelGraceMs }) };
    const full = setupOf(policy, engine);
    this.policy = full.policy.policy;
    this.setups = {
      full,
      "no-wait": setupOf(definePolicy({ patienceMs: 0 }, this.policy), engine),
      once: setupOf(definePolicy({ enabled: false }, this.policy), engine),
    };
    this.listeners = new Listeners(on, full.ports, (listener) => {
      this.listener = listener;
    });
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const read = readRequest(input, init);
    const request = read instanceof Promise ? await read : read;
    const url = new URL(request.url, baseUrl());
    const call = recogniseCall(request.method, url.pathname);
    const wanted = readWanted(request, url, call);
    const plan = this.planFor(request, url, {
      format: call?.format,
      model: call === undefined ? "http" : wanted.model,
    });
    const errand: Errand = { request, url, call, wanted, plan };
    const isRepeatable = call !== undefined || IDEMPOTENT.has(request.method);
    const effort = !isRepeatable || !request.isReplayable ? "once" : this.effortFor(request);
    const setup = this.setupFor(errand, effort, isRepeatable);
    return call === undefined ? this.passOn(errand, setup) : this.answer(errand, setup);
  }

  /** A generation, or a query: the answer is held until its first content, and judged to its end. */
  private async answer(errand: Errand, setup: Setup): Promise<Response> {
    const { request, wanted } = errand;
    const { ports } = setup;
    const keepsEvents = setup.policy.policy.require !== null;
    let from: Response | undefined;
    let isWhole = false;
    const generation = new StreamGeneration<Piece>(
      {
        ...setup,
        inspect: (piece) => piece.reading,
        // What lacks the required content must not have been given out.
        sink: keepsEvents ? "buffered" : "committed",
        textOf: textOfPiece,
        toError,
      },
      async ({ target, signal }) => {
        const response = await send({ fetch: this.options.fetch, ...prepare(errand, target, signal) });
        if (!response.ok) throw await refusalOf(response, ports);
        from = response;
        const answer = await answerPieces(response, { isStreaming: wanted.isStreaming, keepsEvents });
        isWhole = answer.isWhole;
        return answer.pieces;
      },
      request.signal,
      "",
    );
    try {
      const first = await generation.next();
      if (from === undefined || first.done === true) throw new Error("The answer ended before it began");
      if (!isWhole) return toResponse(from, bodyOf(first.value.bytes, generation), generation);
      await generation.next();
      this.givenUp.forget(keyOf(request));
      return toResponse(from, first.value.bytes, generation);
    } catch (error) {
      return this.fail(request, generation, error);
    }
  }

  /** Any other call: only its status is judged, and its body is not looked at. */
  private passOn(errand: Errand, setup: Setup): Promise<Response> {
    const { request } = errand;
    return new Promise((resolve) => {
      const present = (generation: CallGeneration): unknown =>
        generation.ok
          ? toResponse(generation.value as Response, (generation.value as Response).body, generation)
          : this.fail(request, generation, toError(generation));
      new CallGeneration(
        { ...setup, textOf: () => true, present },
        async ({ target, signal }) => {
          const response = await send({ fetch: this.options.fetch, ...prepare(errand, target, signal) });
          if (response.status >= 400) throw await refusalOf(response, setup.ports);
          return response;
        },
        resolve as (outcome: unknown) => void,
        request.signal,
        "",
      ).start();
    });
  }

  private async fail(
    request: PlainRequest,
    generation: StreamGeneration<Piece> | CallGeneration,
    error: unknown,
  ): Promise<Response> {
    const { reason } = generation;
    if (reason !== undefined && GIVEN_UP.has(reason)) this.givenUp.add(keyOf(request), generation.ports.now());
    const response = failedAnswer(generation);
    if (response === undefined) throw error;
    return response;
  }

  private effortFor(request: PlainRequest): Effort {
    const isSaidToBeRetry = Number(request.headers.get("x-stainless-retry-count") ?? 0) > 0;
    const nowMs = this.setups.full.ports.now();
    return this.givenUp.has(keyOf(request), nowMs, isSaidToBeRetry) ? "no-wait" : "full";
  }

  private setupFor({ request, plan }: Errand, effort: Effort, isRepeatable: boolean): Setup {
    const { chain } = plan;
    const warned =
      isRepeatable && !request.isReplayable ? { ...chain, warnings: [...chain.warnings, ONE_SHOT] } : chain;
    return { ...this.setups[effort], chain: warned, listener: this.listener };
  }

  private planFor(
    request: PlainRequest,
    url: URL,
    { format, model }: Pick<Parameters<typeof planRoutes>[2], "format" | "model">,
  ): Plan {
    const ownKey = this.options.keys.has(url.origin) ? "" : ownKeyOf(request, url, this.ownKeys);
    const key = `${url.origin} ${format} ${ownKey} ${model}`;
    const known = this.plans.get(key);
    if (known !== undefined) return known;
    if (this.plans.size >= MOST_PLANS) this.plans.clear();
    const plan = planRoutes(this.options, url, { format, model, ownKey });
    this.plans.set(key, plan);
    return plan;
  }
}

/** What makes two requests the same. */
function keyOf({ method, url, text }: PlainRequest): string {
  return `${method} ${url} ${text ?? ""}`;
}

/** Where relative addresses start: a page has an address of its own. */
function baseUrl(): string | undefined {
  return (globalThis as { location?: { href?: string } }).location?.href;
}
