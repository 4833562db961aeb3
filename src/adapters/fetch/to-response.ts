import type { Piece } from "../../formats/index.ts";
import { receiptHeaders, type StreamGeneration } from "../../kernel/index.ts";
import { directStream } from "../../library/direct-stream/index.ts";
import type { WholeAnswer } from "./answer-pieces.ts";
import { holdResponse } from "./held-response.ts";
import { PieceRelay } from "./piece-relay.ts";
import { keepReceipt, type Receipted } from "./receipted.ts";
import { passResponse, streamResponse } from "./streamed-response.ts";
import type { Incoming } from "./transport/index.ts";

/**
 * Where servers are written in `Response`s (workers, Deno, Bun), the runtime reads a response past its methods: there it has to be a
 * plain one. Node's own HTTP server knows no `Response`.
 */
const IS_NODE =
  typeof process === "object" && process.release?.name === "node" && !("Bun" in globalThis) && !("Deno" in globalThis);

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

/** The answer: what came, with the receipt in its headers. */
export function toResponse(from: Response, generation: Receipted): Response {
  return IS_NODE ? passResponse(from, generation) : plainResponse(from, from.body, generation);
}

export function toStreamedResponse(from: Incoming, first: Uint8Array, generation: StreamGeneration<Piece>): Response {
  const relay = new PieceRelay(first, generation);
  return IS_NODE
    ? streamResponse(from, relay, generation)
    : plainResponse(from, directStream(relay) as Response["body"], generation);
}

export function toWholeResponse(from: Incoming, answer: WholeAnswer, generation: Receipted): Response {
  if (answer.isStream) return plainResponse(from, answer.text, generation, STREAM_TYPE);
  // SDKs take JSON of another type for text, and find no answer in it.
  const isMislabelled = answer.value !== undefined && from.headers.get("content-type")?.includes("json") !== true;
  const contentType = isMislabelled ? JSON_TYPE : undefined;
  return IS_NODE
    ? holdResponse(from, answer, generation, contentType)
    : plainResponse(from, answer.text, generation, contentType);
}

function plainResponse(
  { status, statusText, headers, url, redirected }: Incoming,
  body: ConstructorParameters<typeof Response>[0],
  generation: Receipted,
  contentType?: string,
): Response {
  const copy = new Headers([...headers]);
  for (const [name, value] of Object.entries(receiptHeaders(generation.receipt))) copy.set(name, value);
  if (contentType !== undefined) copy.set("content-type", contentType);
  // The length was that of the JSON: who hands the response on would promise it.
  if (contentType === STREAM_TYPE) for (const name of ["content-length", "content-encoding"]) copy.delete(name);
  const response = new Response(body, { status, statusText, headers: copy });
  for (const [name, value] of Object.entries({ url, redirected }))
    Object.defineProperty(response, name, { value, configurable: true });
  return keepReceipt(response, generation);
}
