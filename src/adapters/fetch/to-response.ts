import type { Piece } from "../../formats/index.ts";
import {
  type Failure,
  type FailureKind,
  type Receipt,
  receiptHeaders,
  type StreamGeneration,
} from "../../kernel/index.ts";
import { ResponseError } from "../../library/response-error.ts";
import { receiptOf as receiptOfError } from "../../library/secondwind-error.ts";
import { AnswerError } from "./answer-error.ts";

type Body = ConstructorParameters<typeof Response>[0];
/** A generation of ours: of either kind. */
type AnyGeneration = Pick<StreamGeneration<Piece>, "failure" | "receipt">;

const generations = new WeakMap<object, { readonly receipt: Receipt }>();

/** The receipt of a response of ours, or of an error that was thrown instead. Of a stream it is final once the stream has ended. */
export function receiptOf(answer: unknown): Receipt | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  return generations.get(answer)?.receipt ?? receiptOfError(answer);
}

/** The answer: what came, with the receipt in its headers. */
export function toResponse(from: Response, body: Body, generation: Pick<AnyGeneration, "receipt">): Response {
  const { status, statusText, headers, url } = from;
  const response = new Response(body, { status, statusText, headers });
  for (const [name, value] of Object.entries(receiptHeaders(generation.receipt))) response.headers.set(name, value);
  Object.defineProperty(response, "url", { value: url, configurable: true });
  generations.set(response, generation);
  return response;
}

/** A body that hands the pieces on, from the first one. An answer that breaks ends in the generation's error, never cleanly. */
export function bodyOf(first: Uint8Array, generation: StreamGeneration<Piece>): ReadableStream<Uint8Array> {
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isFirst) {
          isFirst = false;
          controller.enqueue(first);
          return;
        }
        const { done, value } = await generation.next();
        if (done === true) controller.close();
        else controller.enqueue(value.bytes);
      },
      cancel: async () => {
        await generation.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The endpoint's own error as a response, if there is one: SDKs make of it what they are used to. Undefined: it is thrown. */
export function failedAnswer({ failure, receipt }: AnyGeneration): Response | undefined {
  const problem = failure?.cause;
  if (failure === undefined || failure.kind === "aborted") return undefined;
  const isRefusal = problem instanceof ResponseError && problem.status >= 200;
  if (!isRefusal && !(problem instanceof AnswerError)) return undefined;
  const { status, statusText, body } = isRefusal ? problem : asRefusal(problem as AnswerError, failure);
  const headers = new Headers(problem.headers);
  // They told of the body as it came: compressed, perhaps longer.
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  for (const [name, value] of Object.entries(receiptHeaders(receipt))) headers.set(name, value);
  if (!isRefusal) headers.set("content-type", "application/json");
  // Layers above that know this header do not try again what was given up here.
  headers.set("x-should-retry", "false");
  if (failure.hintMs !== undefined && !headers.has("retry-after"))
    headers.set("retry-after", String(Math.ceil(failure.hintMs / 1000)));
  const isBodyless = status === 204 || status === 205 || status === 304;
  const response = new Response(isBodyless ? null : body, { status, statusText, headers });
  generations.set(response, { receipt });
  return response;
}

/** An error that came with a good status, as it would have come with the right one. */
function asRefusal(
  problem: AnswerError,
  { status, kind }: Failure,
): Pick<ResponseError, "status" | "statusText" | "body"> {
  return {
    status: statusIn(status) ?? STATUS_OF_KIND[kind] ?? 502,
    statusText: "",
    body: JSON.stringify(bodyFor(problem)),
  };
}

function statusIn(status: number | undefined): number | undefined {
  return status !== undefined && status >= 400 && status <= 599 ? status : undefined;
}

/** What the SDKs read an error out of. */
function bodyFor({ error, message }: AnswerError): unknown {
  const isWrapped = typeof error === "object" && error !== null && "error" in error;
  return isWrapped ? error : { error: typeof error === "object" && error !== null ? error : { message } };
}

/** For errors that came with a good status. */
const STATUS_OF_KIND: Readonly<Partial<Record<FailureKind, number>>> = {
  rate_limit: 429,
  usage_limit: 429,
  overloaded: 503,
  server: 500,
  timeout: 504,
  context_overflow: 400,
  bad_request: 400,
  content_filter: 400,
  auth: 401,
  permission: 403,
  not_found: 404,
};
