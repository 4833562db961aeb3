import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestScan } from "../formats/index.ts";
import { definePolicy, type Policy } from "../kernel/index.ts";
import { errorBody, type GatewayError } from "./answer/error-shape.ts";
import type { Effort, Gateway } from "./gateway.ts";
import type { GatewayClient } from "./options.ts";
import { BodyTooLarge, ClientLeft, readBody } from "./request/read-body.ts";
import { InvalidWish, readWishes, type Wishes } from "./request/read-wishes.ts";
import { scanBody } from "./request/scan-body.ts";
import type { Directory } from "./route/directory.ts";
import { findRoute, type Route } from "./route/find-route.ts";
import type { Plan } from "./route/plan.ts";
import { runOther } from "./run-other.ts";
import { runStreamed } from "./run-streamed.ts";
import { runWhole } from "./run-whole.ts";
import { clientKeyOf } from "./upstream/request-headers.ts";

/** A request that was read and has its way. */
export interface Errand {
  readonly gateway: Gateway;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: GatewayClient;
  readonly route: Route;
  readonly query: string;
  readonly body: Buffer;
  readonly scan: RequestScan;
  readonly plan: Plan;
  readonly wishes: Wishes;
  /** What makes it the same request as another. */
  readonly identity: () => string;
}

const NO_SCAN: RequestScan = { model: undefined, from: 0, to: 0, isStreaming: false };
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"]);

/** One request and its answer. */
export class Exchange {
  private readonly gateway: Gateway;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly client: GatewayClient;

  constructor(gateway: Gateway, request: IncomingMessage, response: ServerResponse, client: GatewayClient) {
    this.gateway = gateway;
    this.request = request;
    this.response = response;
    this.client = client;
  }

  async run(): Promise<void> {
    const { gateway, request } = this;
    const { method = "GET", url = "/", headers } = request;
    const at = url.indexOf("?");
    const path = at === -1 ? url : url.slice(0, at);
    const query = at === -1 ? "" : url.slice(at);
    const isAnthropic = headers["anthropic-version"] !== undefined;
    // The whole request is for one configuration, though it may change while the body comes.
    const { directory } = gateway;
    const route = findRoute({ method, path, isAnthropic }, directory);
    if (route === undefined) return this.refuse(undefined, { status: 404, message: "Not found", code: "not-found" });
    if (gateway.isDraining || gateway.inFlight >= gateway.limits.inFlight) return this.turnAway(route);
    gateway.inFlight += 1;
    try {
      const wishes = readWishes(headers, gateway.policies);
      const body = await readBody(request, gateway.limits.bodyBytes);
      if (gateway.isClosed) return this.turnAway(route);
      await this.send({ route, query, body, wishes }, directory);
    } catch (problem) {
      this.explain(route, problem);
    } finally {
      gateway.inFlight -= 1;
    }
  }

  private send(
    read: Pick<Errand, "route" | "query" | "body" | "wishes">,
    { aliases, plans }: Directory,
  ): Promise<void> {
    const { gateway, request, response, client } = this;
    const { route, query, body, wishes } = read;
    const { call, endpoint } = route;
    const scan = call === undefined || call.model !== undefined ? NO_SCAN : scanBody(body);
    const model = call?.model === undefined ? (scan.model ?? "") : modelIn(request.url ?? "", route);
    const isStreaming = scan.isStreaming || route.path.endsWith(":streamGenerateContent");
    const alias = aliases.get(model);
    const own = alias?.format === endpoint.format ? alias : undefined;
    const ownKey = client.isKnown === true ? "" : clientKeyOf(request.headers, query);
    const plan = plans.find({ endpoint, model, client: ownKey === "" ? "" : gateway.ownKeys.nameOf(ownKey) }, own);
    const identity = (): string =>
      [
        ownKey,
        client.name,
        request.method,
        request.url,
        wishes.policy,
        wishes.maxWaitMs,
        body.toString("latin1"),
      ].join();
    const errand: Errand = { ...read, gateway, request, response, client, scan, plan, identity };
    const policy = this.policyOf(gateway.policyFor(wishes.policy, own?.policy), wishes);
    const facts = {
      format: endpoint.format,
      endpoint: endpoint.name,
      route: route.path,
      model,
      client: client.name ?? "",
      policy: policy.name,
    };
    // Only what is a generation is written down.
    const watch = call === undefined ? undefined : gateway.watch?.(facts);
    const setup = gateway.setupFor(policy, this.effortFor(errand), plan.chain, watch?.on);
    if (call === undefined) return runOther(errand, setup);
    const onContent = (): void => watch?.content?.();
    return isStreaming && call.what === "generation"
      ? runStreamed(errand, setup, onContent)
      : runWhole(errand, setup, onContent);
  }

  private policyOf(policy: Policy, { maxWaitMs }: Wishes): Policy {
    return maxWaitMs === undefined ? policy : definePolicy({ patienceMs: maxWaitMs, maxDelayMs: maxWaitMs }, policy);
  }

  private effortFor({ route, gateway, request, identity }: Errand): Effort {
    if (route.call === undefined && !IDEMPOTENT.has(request.method ?? "GET")) return "once";
    if (gateway.givenUp.isEmpty) return "full";
    const isSaidToBeRetry = Number(request.headers["x-stainless-retry-count"] ?? 0) > 0;
    return gateway.givenUp.find(identity(), gateway.ports.now(), isSaidToBeRetry) === undefined ? "full" : "no-wait";
  }

  private turnAway({ endpoint }: Route): void {
    const message = this.gateway.isDraining ? "The gateway is shutting down" : "Too many requests at a time";
    this.response.setHeader("retry-after", "1");
    this.refuse(endpoint.format, { status: 503, message, code: "busy" });
  }

  private explain({ endpoint }: Route, problem: unknown): void {
    if (problem instanceof InvalidWish)
      return this.refuse(endpoint.format, { status: 400, message: problem.message, code: "invalid-header" });
    if (problem instanceof BodyTooLarge) {
      const message = `The request is larger than ${this.gateway.limits.bodyBytes} bytes`;
      this.response.setHeader("connection", "close");
      return this.refuse(endpoint.format, { status: 413, message, code: "too-large" });
    }
    if (problem instanceof ClientLeft) return void this.response.destroy();
    this.gateway.ports.reportFault(problem, "gateway");
    if (this.response.headersSent) return void this.response.destroy();
    this.refuse(endpoint.format, { status: 500, message: "The gateway has failed", code: "engine-fault" });
  }

  private refuse(format: Route["endpoint"]["format"] | undefined, error: GatewayError): void {
    const { response } = this;
    response.setHeader("content-type", "application/json");
    response.statusCode = error.status;
    response.end(errorBody(format ?? "openai", error));
  }
}

/** Gemini has the model in the path. */
function modelIn(url: string, { call }: Route): string {
  const [, model = ""] = /\/(?:models|tunedModels)\/([^/:?]+):/.exec(url) ?? [];
  try {
    return call === undefined ? "" : decodeURIComponent(model);
  } catch {
    return model;
  }
}
