import type { CallGeneration, CallSetup } from "../kernel/index.ts";
import { drained } from "./answer/drained.ts";
import { receiptPairs } from "./answer/receipt-pairs.ts";
import { attempt } from "./attempt.ts";
import type { Exchange } from "./exchange.ts";
import { runCall } from "./run-whole.ts";
import { sendFinal } from "./send-final.ts";
import { pairsIn } from "./upstream/header-lines.ts";
import { headerIn } from "./upstream/response-headers.ts";
import type { UpstreamAnswer } from "./upstream/upstream-call.ts";

/** What is no generation: only its status is judged; its body passes as it comes. */
export function runOther(exchange: Exchange, setup: CallSetup): void {
  runCall(
    exchange,
    setup,
    (context) => attempt(exchange, context, (answer) => answer),
    (generation) => {
      if (generation.ok) void passOn(exchange, generation);
      else sendFinal(exchange, generation);
    },
  );
}

async function passOn({ response }: Exchange, generation: CallGeneration): Promise<void> {
  const { head, body } = generation.value as UpstreamAnswer;
  response.once("close", () => void body.cancel());
  try {
    const headers = pairsIn(head.passed);
    const length = headerIn(head.rawHeaders, "content-length");
    if (length !== undefined) headers.push("content-length", length);
    headers.push(...receiptPairs(generation.receipt));
    response.writeHead(head.status, head.statusText, headers);
    for (let next = await body.read(); !next.done; next = await body.read())
      if (!response.write(next.value)) await drained(response);
    response.end();
  } catch {
    // Never a clean end for half a body.
    response.destroy();
  }
}
