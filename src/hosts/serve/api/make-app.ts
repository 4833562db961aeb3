import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Caller } from "../guard/caller.ts";
import { errorBody } from "../listener/send-error.ts";
import { explainProblem } from "./explain-problem.ts";
import { parseBody, parseQuery } from "./parse-input.ts";
import type { AnyRoute } from "./route.ts";

interface AppParts {
  readonly routes: readonly AnyRoute[];
  /** Of a request that has passed the guard. */
  readonly callerOf: (request: IncomingMessage) => Caller;
  /** Bytes, for routes that set no limit. */
  readonly bodyBytes: number;
  readonly reportFault: (fault: unknown, where: string) => void;
}

type ApiContext = Context<{ Bindings: HttpBindings }>;

/** The API as Hono knows it: one handler for each route, and an answer in our own format for whatever has none. */
export function makeApp(parts: AppParts): Hono<{ Bindings: HttpBindings }> {
  const { routes } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const route of routes) app.on(route.method, route.path, (context) => answer(context, route, parts));
  for (const [path, methods] of methodsByPath(routes)) {
    const allowed = methods.join(", ");
    app.all(path, (context) => error(context, 405, `Method not allowed. Allowed: ${allowed}`, { allow: allowed }));
  }
  app.notFound((context) => error(context, 404, "Not found"));
  app.onError((fault, context) => problem(context, fault, parts));
  return app;
}

async function answer(context: ApiContext, route: AnyRoute, parts: AppParts): Promise<Response> {
  try {
    const { incoming } = context.env;
    const { client } = parts.callerOf(incoming);
    const query =
      route.query === undefined ? undefined : parseQuery(route.query, new URL(context.req.url).searchParams);
    const body =
      route.body === undefined ? undefined : await parseBody(route.body, incoming, route.maxBody ?? parts.bodyBytes);
    const result = await route.run({
      params: context.req.param() as Readonly<Record<string, string>>,
      query,
      body,
      signal: context.req.raw.signal,
      disconnect: () => void context.env.outgoing.destroy(),
      ...(client !== undefined && { client }),
      ...idempotencyOf(incoming),
      ...(incoming.headers.cookie !== undefined && { cookie: incoming.headers.cookie }),
    });
    if (result instanceof Response) return result;
    if (result === undefined) return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
    return json(200, JSON.stringify(result));
  } catch (fault) {
    return problem(context, fault, parts);
  }
}

function idempotencyOf({ headers }: IncomingMessage): { readonly idempotencyKey?: string } {
  const key = headers["idempotency-key"];
  return typeof key === "string" ? { idempotencyKey: key } : {};
}

function problem(context: ApiContext, fault: unknown, { reportFault }: AppParts): Response {
  const { status, message, field, isOurs } = explainProblem(fault);
  if (isOurs) reportFault(fault, `${context.req.method} ${context.req.routePath}`);
  return json(status, errorBody(message, field));
}

function error(_: Context, status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return json(status, errorBody(message), headers);
}

function json(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** What `Allow` names. A path with `GET` has `HEAD` as well. */
function methodsByPath(routes: readonly AnyRoute[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = found.get(path) ?? [];
    // The first one would answer, and the other one never.
    if (methods.includes(method)) throw new Error(`Two routes for ${method} ${path}`);
    found.set(path, [...methods, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  return found;
}
