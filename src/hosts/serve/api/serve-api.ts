import type { IncomingMessage } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Caller } from "../guard/caller.ts";
import type { Handler } from "../listener/route-request.ts";
import { makeApp } from "./make-app.ts";
import type { AnyRoute } from "./route.ts";

interface ApiParts {
  readonly routes: readonly AnyRoute[];
  readonly bodyBytes: number;
  readonly reportFault: (fault: unknown, where: string) => void;
}

/** Handles the paths of the routes, and everything else below `/api`. */
export function serveApi({ routes, bodyBytes, reportFault }: ApiParts): Handler {
  const callers = new WeakMap<IncomingMessage, Caller>();
  const callerOf = (request: IncomingMessage): Caller => callers.get(request) ?? {};
  const app = makeApp({ routes, callerOf, bodyBytes, reportFault });
  // The global `Request` and `Response` stay Node's own: other parts of the process use them.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const first = new Set(routes.map(({ path }) => path.split("/")[1]));
  return {
    accepts: (path) => first.has(path.split("/")[1]),
    handle: (request, response, caller) => {
      callers.set(request, caller);
      void listener(request, response);
    },
  };
}
