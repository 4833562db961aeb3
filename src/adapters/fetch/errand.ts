import type { RecognisedCall } from "../../formats/index.ts";
import type { Ports } from "../../kernel/index.ts";
import type { GivenUp } from "../../library/given-up.ts";
import type { Plan, Wanted } from "./plan-routes.ts";
import type { PlainRequest } from "./read-request.ts";
import type { Transports } from "./transport/index.ts";

/** One call to `fetch`, and where it may go. */
export interface Errand {
  readonly request: PlainRequest;
  readonly url: URL;
  /** Undefined: no generation. */
  readonly call: RecognisedCall | undefined;
  readonly wanted: Wanted;
  readonly plan: Plan;
  readonly transports: Transports;
  readonly ports: Ports;
  readonly givenUp: GivenUp;
}

/** What makes two requests the same. */
export function identityOf({ method, url, text }: PlainRequest): string {
  return `${method} ${url} ${text ?? ""}`;
}
