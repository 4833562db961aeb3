import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request that has passed every check of the listener and of its route. */
export interface ApiRequest<Query, Body> {
  /** By the names in the path: `/api/conversations/:id` has `id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Name of the access key, where the server has any. */
  readonly client?: string;
  /** Closes the connection at once, in the middle of an answer: for a client that does not read. */
  disconnect?(): void;
  /** The header `Idempotency-Key`: only `POST /jobs` reads it. */
  readonly idempotencyKey?: string;
  /** As the browser sent it: only the routes of the session read it. */
  readonly cookie?: string;
}

/**
 * One path of the API. The router, the checks and the OpenAPI document are made from it. `run` returns what is sent as JSON, or a
 * `Response` for anything else; undefined is 204. `ApiProblem` and `InvalidInput` become an error answer.
 */
export interface Route<Query = unknown, Body = unknown> {
  readonly method: Method;
  readonly path: string;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Bytes; default 1 MB. */
  readonly maxBody?: number;
  /** For the document: what the answer is, in words. */
  readonly answer: string;
  run(request: ApiRequest<Query, Body>): Promise<unknown> | unknown;
}

/** Any route. Its own types are checked where it is defined. */
// biome-ignore lint/suspicious/noExplicitAny: a list of routes with different bodies has no narrower type
export type AnyRoute = Route<any, any>;

export function defineRoute<Query = undefined, Body = undefined>(route: Route<Query, Body>): AnyRoute {
  return route;
}

/** An error answer. The message is for people and has no secret in it. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.name = "ApiProblem";
    this.status = status;
    this.field = field;
  }
}

export function notFound(what: string): ApiProblem {
  return new ApiProblem(404, `Unknown ${what}`);
}
