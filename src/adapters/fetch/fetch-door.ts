import { type Piece, type RecognisedCall, recogniseCall } from "../../formats/index.ts";
import {
  type CallSetup,
  definePolicy,
  type Listener,
  MemoryHealth,
  type Policy,
  type PolicyInput,
  type Ports,
  type Reading,
  type Setup,
  type StreamSetup,
} from "../../kernel/index.ts";
import { withCancelMarks } from "../../library/cancel-mark.ts";
import { GivenUp } from "../../library/given-up.ts";
import { OwnKeys } from "../../library/own-keys.ts";
import { givenUpError, toError } from "../../library/secondwind-error.ts";
import { setupOf } from "../../library/setup.ts";
import { type Subscribe, subscriptionsOf } from "../../library/subscriptions.ts";
import { textOfPiece } from "../../library/text-of-piece.ts";
import { type Errand, identityOf } from "./errand.ts";
import { type CheckedOptions, checkFetchOptions, type FetchOptions, globalFetch } from "./options.ts";
import { ownKeyOf, type Plan, planRoutes, readWanted } from "./plan-routes.ts";
import { type PlainRequest, readRequest } from "./read-request.ts";
import { presentItself, runOther, runStreamed, runWhole } from "./run-errand.ts";
import { type Transports, transportsOf } from "./transport/index.ts";

/**
 * How far the policy goes for a call: all the way; without any wait, for one that was given up a moment ago and comes back; or
 * not at all, for one that can't be repeated.
 */
type Effort = "full" | "no-wait" | "once";

const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"]);
const ONE_SHOT = "The request body is a stream that can be read only once, so the call is not retried";
const MOST_REMEMBERED = 1000;

/** The parts that the generations of one plan are made from, of either kind. */
type AnySetup = Omit<StreamSetup<Piece>, "toError"> & CallSetup & { readonly toError: typeof toError };

interface Address {
  readonly method: string;
  readonly url: URL;
  readonly call: RecognisedCall | undefined;
}

interface PreparedPlan extends Plan {
  readonly setups: Map<Effort, AnySetup>;
}

/** What all calls of one `fetch` share. */
export class FetchDoor {
  readonly policy: Policy;
  readonly subscribe: Subscribe;
  private readonly options: CheckedOptions;
  private readonly setups: Readonly<Record<Effort, Setup>>;
  private readonly plans = new Map<string, PreparedPlan>();
  private readonly addresses = new Map<string, Address>();
  private readonly ownKeys = new OwnKeys();
  private readonly givenUp = new GivenUp();
  private readonly transports: Transports;
  private readonly outlet: { readonly ports: Ports; listener: Listener | undefined };

  constructor(policy: Policy | PolicyInput | undefined, options: FetchOptions) {
    this.options = checkFetchOptions(options);
    const { health = new MemoryHealth(), on, ports, cancelGraceMs } = options;
    const engine = { health, ...(ports && { ports }), ...(cancelGraceMs !== undefined && { cancelGraceMs }) };
    const full = setupOf(policy, engine);
    this.policy = full.policy.policy;
    // Of the attempts only the transports see a signal, and they make a real one if they need it.
    const marked = { ports: withCancelMarks(full.ports) };
    this.setups = {
      full: { ...full, ...marked },
      "no-wait": { ...setupOf(definePolicy({ patienceMs: 0 }, this.policy), engine), ...marked },
      once: { ...setupOf(definePolicy({ enabled: false }, this.policy), engine), ...marked },
    };
    this.transports = transportsOf(this.options.fetch, globalFetch(), full.ports);
    this.outlet = { ports: full.ports, listener: undefined };
    this.subscribe = subscriptionsOf(this.outlet, on);
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const read = readRequest(input, init);
    const request = read instanceof Promise ? await read : read;
    const { url, call } = this.addressOf(request);
    const wanted = readWanted(request, url, call);
    const plan = this.planFor(request, url, call, call === undefined ? "http" : wanted.model);
    const setup = this.setupFor(request, plan, call !== undefined || IDEMPOTENT.has(request.method));
    const { transports, givenUp } = this;
    const errand: Errand = { request, url, call, wanted, plan, transports, ports: setup.ports, givenUp };
    if (call === undefined) return runOther(errand, setup);
    return wanted.isStreaming ? runStreamed(errand, setup) : runWhole(errand, setup);
  }

  /** A program calls few addresses, again and again. */
  private addressOf({ method, url: text }: PlainRequest): Address {
    const known = this.addresses.get(text);
    if (known !== undefined && known.method === method) return known;
    const url = new URL(text, baseUrl());
    const address = { method, url, call: recogniseCall(method, url.pathname) };
    remember(this.addresses, text, address);
    return address;
  }

  private planFor(
    request: PlainRequest,
    url: URL,
    call: RecognisedCall | undefined,
    model: string | undefined,
  ): PreparedPlan {
    const ownKey = this.options.keys.has(url.origin) ? "" : ownKeyOf(request, url, this.ownKeys);
    const key = `${url.origin} ${call?.format} ${call?.what} ${ownKey} ${model}`;
    const known = this.plans.get(key);
    if (known !== undefined) return known;
    const plan = { ...planRoutes(this.options, url, { call, model, ownKey }), setups: new Map() };
    remember(this.plans, key, plan);
    return plan;
  }

  private setupFor(request: PlainRequest, plan: PreparedPlan, isRepeatable: boolean): AnySetup {
    if (!isRepeatable) return this.prepareSetup(plan, "once");
    if (request.isReplayable) return this.prepareSetup(plan, this.effortFor(request));
    const setup = this.prepareSetup(plan, "once");
    // The listener is read once: one-shot bodies are rare.
    return { ...setup, chain: { ...plan.chain, warnings: [...plan.chain.warnings, ONE_SHOT] } };
  }

  private effortFor(request: PlainRequest): Effort {
    if (this.givenUp.isEmpty) return "full";
    const isSaidToBeRetry = Number(request.headers.get("x-stainless-retry-count") ?? 0) > 0;
    const nowMs = this.setups.full.ports.now();
    return this.givenUp.find(identityOf(request), nowMs, isSaidToBeRetry) === undefined ? "full" : "no-wait";
  }

  private prepareSetup(plan: PreparedPlan, effort: Effort): AnySetup {
    const known = plan.setups.get(effort);
    if (known !== undefined) return known;
    const base = this.setups[effort];
    const { outlet } = this;
    const setup: AnySetup = {
      ...base,
      chain: plan.chain,
      get listener() {
        return outlet.listener;
      },
      inspect: readingOf,
      // What lacks the required content must not have been given out.
      sink: base.policy.policy.require === null ? "committed" : "buffered",
      textOf: textOfPiece,
      toError: effort === "no-wait" ? givenUpError : toError,
      present: presentItself,
    };
    plan.setups.set(effort, setup);
    return setup;
  }
}

function readingOf({ reading }: Piece): Reading {
  return reading;
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(key, value);
}

/** Where relative addresses start: a page has an address of its own. */
function baseUrl(): string | undefined {
  return (globalThis as { location?: { href?: string } }).location?.href;
}
