import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../guard/caller.ts";
import { judgeGateway } from "../guard/judge-gateway.ts";
import { judgeRequest, type Rules } from "../guard/judge-request.ts";
import { REFUSALS, type Refusal } from "../guard/refusals.ts";
import type { WrongKeys } from "../guard/wrong-keys.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import { sendError } from "./send-error.ts";

/** A part of the server that answers some paths by itself, on the plain request. */
export interface Handler {
  accepts(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse, caller: Caller): void;
}

/** The gateway, which has a guard of its own, and headers that are the endpoint's. */
export interface GatewayHandler {
  accepts(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse, caller: Caller): void;
}

interface Router {
  readonly gateway: GatewayHandler;
  readonly rules: Rules;
  readonly wrongKeys: WrongKeys;
  /** The first one that accepts a path gets it. */
  readonly handlers: readonly Handler[];
  readonly reportFault: (fault: unknown, where: string) => void;
}

/** The router in front of everything: the guard, then the handler of the path. */
export function routeRequest({ rules, wrongKeys, gateway, handlers, reportFault }: Router) {
  const refuse = (response: ServerResponse, refusal: Refusal): void => {
    if (refusal !== REFUSALS["key-wrong"]) return sendError(response, refusal);
    void wrongKeys
      .slowDown()
      .then((isSlowed) => sendError(response, isSlowed ? refusal : REFUSALS["too-many-wrong-keys"]));
  };
  const serveGateway = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = "", url = "", headers, rawHeaders } = request;
    const verdict = judgeGateway({ method, url, headers, rawHeaders }, rules);
    if (verdict.ok) gateway.handle(request, response, verdict.caller);
    else refuse(response, verdict.refusal);
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (gateway.accepts((request.url ?? "").split("?", 1)[0] as string)) return serveGateway(request, response);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const { method = "", url = "", headers, rawHeaders } = request;
    const verdict = judgeRequest({ method, url, headers, rawHeaders }, rules);
    if (verdict.ok) {
      const { caller, path } = verdict;
      const handler = handlers.find((one) => one.accepts(path));
      if (handler === undefined) return sendError(response, { status: 404, message: "Not found" });
      try {
        return handler.handle(request, response, caller);
      } catch (fault) {
        // One request must not end the process.
        reportFault(fault, "request");
        return sendError(response, { status: 500, message: "Internal error. The server's log has the reason" });
      }
    }
    refuse(response, verdict.refusal);
  };
}
