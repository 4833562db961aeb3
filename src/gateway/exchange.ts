import type { IncomingMessage, ServerResponse } from "node:http";
import { asksForStream, type RequestScan } from "../formats/index.ts";
import { definePolicy, type Generation, type Policy } from "../kernel/index.ts";
import { errorBody, type GatewayError } from "./answer/error-shape.ts";
import { GatewayClosed } from "./answer/final-error.ts";
import type { StreamWriter } from "./answer/stream-writer.ts";
import { type EarlierVisit, NO_VISIT } from "./earlier-visit.ts";
import type { Effort, Gateway } from "./gateway.ts";
import type { GatewayClient } from "./options.ts";
import { type BodyTaker, readBody } from "./request/read-body.ts";
import { InvalidWish, type Wishes } from "./request/read-wishes.ts";
import type { RequestHead } from "./request/request-head.ts";
import { scanBody } from "./request/scan-body.ts";
import type { Directory } from "./route/directory.ts";
import type { Route } from "./route/find-route.ts";
import { NO_PLAN, type Plan } from "./route/plan.ts";
import { runOther } from "./run-other.ts";
import { runStreamed } from "./run-streamed.ts";
import { runWhole } from "./run-whole.ts";
import type { Listed } from "./running.ts";
import { keyInQuery } from "./upstream/request-headers.ts";

const NO_SCAN: RequestScan = { model: undefined, from: 0, to: 0, isStreaming: false };
const NOTHING: Buffer = Buffer.alloc(0);
const MOST_KEPT_CHARS = 16_384;
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"]);

/** One request and its answer: all that the steps need to know of it. */
export class Exchange implements BodyTaker, Listed {
  place = -1;
  readonly gateway: Gateway;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: GatewayClient;
  readonly route: Route;
  readonly query: string;
  readonly head: RequestHead;
  readonly wishes: Wishes;
  /** The whole request is for one configuration, though it may change while the body comes. */
  private readonly directory: Directory;
  body: Buffer = NOTHING;
  /** The body with one character for each byte, if it was needed. */
  text: string | undefined = undefined;
  scan: RequestScan = NO_SCAN;
  plan: Plan = NO_PLAN;
  /** How the same request ended a moment ago. */
  earlier: EarlierVisit = NO_VISIT;
  /** Once a stream has begun. */
  writer: StreamWriter | undefined = undefined;
  private ownKey = "";
  private generation: Generation | undefined = undefined;

  private constructor(
    { gateway, request, response, client }: Arrival,
    directory: Directory,
    { route, query, head, wishes }: Pick<Exchange, "route" | "query" | "head" | "wishes">,
  ) {
    this.gateway = gateway;
    this.request = request;
    this.response = response;
    this.client = client;
    this.directory = directory;
    this.route = route;
    this.query = query;
    this.head = head;
    this.wishes = wishes;
  }

  /** Begins with a request, or refuses it. */
  static open(arrival: Arrival): void {
    const { gateway, request, response } = arrival;
    const { method = "GET", url = "/" } = request;
    const at = url.indexOf("?");
    const path = at === -1 ? url : url.slice(0, at);
    const { directory } = gateway;
    const head = gateway.heads.of(request);
    const route = directory.routes.find(method, path, head.isAnthropic);
    if (route === undefined)
      return refuse(response, undefined, { status: 404, message: "Not found", code: "not-found" });
    if (gateway.isDraining || gateway.inFlight >= gateway.limits.inFlight) return turnAway(gateway, response, route);
    if (head.wishes instanceof InvalidWish) {
      const { message } = head.wishes;
      return refuse(response, route.endpoint.format, { status: 400, message, code: "invalid-header" });
    }
    const query = at === -1 ? "" : url.slice(at);
    new Exchange(arrival, directory, { route, query, head, wishes: head.wishes }).begin();
  }

  private begin(): void {
    const { gateway, request, response } = this;
    gateway.running.add(this);
    response.on("close", () => this.onClose());
    readBody(request, gateway.limits.bodyBytes, this);
  }

  /** Ended, or the client has left, which ends its generation. */
  private onClose(): void {
    const { gateway, generation } = this;
    gateway.running.remove(this);
    if (generation === undefined || generation.isEnded()) return;
    generation.onAbort(new Error("The client left"));
    const { waitedMs } = generation.receipt;
    if (this.response.headersSent || waitedMs === 0) return;
    // Should it come back, it does not start over.
    const { error, waitedMs: before } = this.earlier;
    gateway.givenUp.add(this.identity(), gateway.ports.now(), { error, waitedMs: before + waitedMs });
  }

  /** The gateway closes: the client is told. */
  stop(): void {
    if (this.generation === undefined) turnAway(this.gateway, this.response, this.route);
    else this.generation.onAbort(new GatewayClosed());
  }

  /** This generation ends with the client or the gateway. */
  follow(generation: Generation): void {
    this.generation = generation;
  }

  onTooLarge(): void {
    const message = `The request is larger than ${this.gateway.limits.bodyBytes} bytes`;
    this.response.setHeader("connection", "close");
    refuse(this.response, this.route.endpoint.format, { status: 413, message, code: "too-large" });
  }

  onBody(body: Buffer): void {
    if (this.response.writableEnded) return;
    this.body = body;
    this.guard(() => this.send());
  }

  /** What fails in here ends this request and nothing else. */
  guard(act: () => void): void {
    try {
      act();
    } catch (fault) {
      this.fail(fault);
    }
  }

  fail(fault: unknown): void {
    const { response, route, gateway } = this;
    gateway.ports.reportFault(fault, "gateway");
    if (response.headersSent) return void response.destroy();
    const error = { status: 500, message: "The gateway has failed", code: "engine-fault" };
    refuse(response, route.endpoint.format, error);
  }

  private send(): void {
    const { gateway, request, client, head, route, query, wishes } = this;
    const { call, endpoint } = route;
    if (call !== undefined && call.model === undefined) {
      const text = this.body.toString("latin1");
      this.scan = scanBody(this.body, text);
      // A large one would be in memory twice for as long as the request takes.
      if (text.length <= MOST_KEPT_CHARS) this.text = text;
    }
    const { scan } = this;
    const model = call?.model === undefined ? (scan.model ?? "") : modelIn(request.url ?? "");
    const alias = this.directory.aliases.get(model);
    const own = alias?.format === endpoint.format ? alias : undefined;
    this.ownKey = client.isKnown === true ? "" : head.key || keyInQuery(query);
    const named = this.ownKey === "" ? "" : gateway.ownKeys.nameOf(this.ownKey);
    this.plan = this.directory.plans.find({ endpoint, model, client: named }, own);
    this.earlier = this.earlierVisit();
    const asked = policyOf(gateway.policyFor(wishes.policy, own?.policy), wishes);
    const policy = this.earlier.waitedMs === 0 ? asked : policyLeft(asked, this.earlier.waitedMs);
    // Only what is a generation is written down.
    const watch =
      call === undefined
        ? undefined
        : gateway.watch?.({
            format: endpoint.format,
            endpoint: endpoint.name,
            route: route.path,
            model,
            client: client.name ?? "",
            policy: policy.name,
          });
    const setup = gateway.setupFor(policy, this.effort(), this.plan.chain, watch?.on);
    if (call === undefined) return runOther(this, setup);
    const onContent = watch?.content === undefined ? undefined : () => watch.content?.();
    if (asksForStream(call, scan)) runStreamed(this, setup, onContent);
    else runWhole(this, setup, onContent);
  }

  private effort(): Effort {
    const { route, request, earlier } = this;
    if (route.call === undefined && !IDEMPOTENT.has(request.method ?? "GET")) return "once";
    return earlier.error === undefined ? "full" : "no-wait";
  }

  private earlierVisit(): EarlierVisit {
    const { gateway, request } = this;
    if (gateway.givenUp.isEmpty) return NO_VISIT;
    const isSaidToBeRetry = Number(request.headers["x-stainless-retry-count"] ?? 0) > 0;
    return gateway.givenUp.find(this.identity(), gateway.ports.now(), isSaidToBeRetry) ?? NO_VISIT;
  }

  /** What makes it the same request as another. */
  identity(): string {
    const { ownKey, client, request, wishes, body } = this;
    const { policy, maxWaitMs } = wishes;
    return [ownKey, client.name, request.method, request.url, policy, maxWaitMs, body.toString("latin1")].join();
  }

  /** It went well: should it come again, it gets all its retries. */
  forgetGivenUp(): void {
    const { givenUp } = this.gateway;
    if (!givenUp.isEmpty) givenUp.forget(this.identity());
  }
}

/** A request that has come. */
export type Arrival = Pick<Exchange, "gateway" | "request" | "response" | "client">;

function policyOf(policy: Policy, { maxWaitMs }: Wishes): Policy {
  return maxWaitMs === undefined ? policy : definePolicy({ patienceMs: maxWaitMs, maxDelayMs: maxWaitMs }, policy);
}

/** What a request has waited before counts. */
function policyLeft(policy: Policy, waitedMs: number): Policy {
  if (policy.patienceMs === null) return policy;
  return definePolicy({ patienceMs: Math.max(0, Math.round(policy.patienceMs - waitedMs)) }, policy);
}

function turnAway({ isDraining }: Gateway, response: ServerResponse, { endpoint }: Route): void {
  const message = isDraining ? "The gateway is shutting down" : "Too many requests at a time";
  response.setHeader("retry-after", "1");
  refuse(response, endpoint.format, { status: 503, message, code: "busy" });
}

function refuse(response: ServerResponse, format: Route["endpoint"]["format"] | undefined, error: GatewayError): void {
  if (response.headersSent || response.destroyed) return;
  response.setHeader("content-type", "application/json");
  response.statusCode = error.status;
  response.end(errorBody(format ?? "openai", error));
}

/** Gemini has the model in the path. */
function modelIn(url: string): string {
  const [, model = ""] = /\/(?:models|tunedModels)\/([^/:?]+):/.exec(url) ?? [];
  try {
    return decodeURIComponent(model);
  } catch {
    return model;
  }
}
