import type { RecognisedCall } from "./recognise-call.ts";
import type { RequestScan } from "./scan-request.ts";

/** Whether a call asks for a stream, which only generations have: some say so in their path, the others in their body. */
export function asksForStream({ what, model }: RecognisedCall, scan: Pick<RequestScan, "isStreaming">): boolean {
  return what === "generation" && (model?.isStreaming ?? scan.isStreaming);
}

/** Whether it asks for events, and its caller looks for nothing else: Gemini streams a list in JSON unless the query says otherwise. */
export function asksForEvents(call: RecognisedCall, scan: Pick<RequestScan, "isStreaming">, query: string): boolean {
  return asksForStream(call, scan) && (call.format !== "gemini" || query.includes("alt=sse"));
}
