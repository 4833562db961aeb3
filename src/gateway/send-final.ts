import type { CallGeneration } from "../kernel/index.ts";
import { isGivenUp } from "../library/given-up.ts";
import { errorEvent } from "./answer/error-shape.ts";
import { type FinalError, finalError, ownError } from "./answer/final-error.ts";
import { StreamWriter } from "./answer/stream-writer.ts";
import type { Exchange } from "./exchange.ts";

/** A shorter one is no secret, and may stand in any word. */
const FEWEST_KEY_CHARS = 8;

type Failed = Pick<CallGeneration, "failure" | "reason" | "receipt">;

/**
 * Ends a request that has no answer: before anything was sent, with the endpoint's error or ours. Afterwards with the format's error
 * event and a missing last chunk: of all ways to end a lost stream this is the one that the fewest clients take for a whole answer.
 */
export function sendFinal(exchange: Exchange, generation: Failed): void {
  const { response, route } = exchange;
  // The client has left.
  if (response.destroyed) return;
  const error = remember(exchange, generation);
  if (response.headersSent) {
    const event = withoutKeys(exchange, errorEvent(route.endpoint.format, route.path, ownError(generation)));
    return (exchange.writer ?? StreamWriter.resume(response)).writeLast(event);
  }
  response.writeHead(error.status, [...error.headers]);
  response.end(error.body);
}

/** What the request ends with. One that came back and was not even tried gets the error that it had before. */
function remember(exchange: Exchange, generation: Failed): FinalError {
  const { gateway, route } = exchange;
  const { givenUp, ports } = gateway;
  const { reason, receipt } = generation;
  const { error: before, waitedMs } = exchange.earlier;
  if (before !== undefined && receipt.attempts === 0) return before;
  const { status, headers, body } = finalError(route.endpoint.format, generation);
  const clean = (text: string): string => withoutKeys(exchange, text);
  const error = { status, headers: headers.map(clean), body: clean(body) };
  if (isGivenUp(reason) && receipt.attempts > 0) givenUp.add(exchange.identity(), ports.now(), { error, waitedMs });
  return error;
}

/** An endpoint may repeat the key that it refuses. If that is one of the gateway's, its clients must not see it. */
function withoutKeys({ gateway, plan }: Exchange, text: string): string {
  let clean = gateway.redact(text);
  for (const { key } of plan.legs.values())
    if (key !== undefined && key.length >= FEWEST_KEY_CHARS) clean = clean.replaceAll(key, "[key]");
  return clean;
}
