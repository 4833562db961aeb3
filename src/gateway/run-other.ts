import type { CallSetup } from "../kernel/index.ts";
import { drained } from "./answer/drained.ts";
import { receiptPairs } from "./answer/receipt-pairs.ts";
import { attempt } from "./attempt.ts";
import type { Errand } from "./exchange.ts";
import { runCall } from "./run-whole.ts";
import { sendFinal } from "./send-final.ts";
import { responseHeaders } from "./upstream/response-headers.ts";
import type { UpstreamAnswer } from "./upstream/upstream-call.ts";

/** What is no generation: only its status is judged; its body passes as it comes. */
export async function runOther(errand: Errand, setup: CallSetup): Promise<void> {
  const { response } = errand;
  const generation = await runCall(errand, setup, (context) => attempt(errand, context));
  if (!generation.ok) return sendFinal(errand, generation);
  const { status, statusText, rawHeaders, body } = generation.value as UpstreamAnswer;
  response.once("close", () => void body.cancel());
  response.writeHead(status, statusText, [
    ...responseHeaders(rawHeaders, { isStream: false }),
    ...receiptPairs(generation.receipt),
  ]);
  try {
    for (let next = await body.read(); !next.done; next = await body.read())
      if (!response.write(next.value)) await drained(response);
    response.end();
  } catch {
    // Never a clean end for half a body.
    response.destroy();
  }
}
