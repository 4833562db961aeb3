import { statusOfKind } from "../../formats/index.ts";
import { type Failure, type Receipt, receiptHeaders } from "../../kernel/index.ts";
import { AnswerError } from "../../library/answer-error.ts";
import { ResponseError } from "../../library/response-error.ts";
import { keepReceipt } from "./receipted.ts";

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

interface Failed {
  readonly failure: Failure | undefined;
  readonly receipt: Receipt;
  /** Nothing was retried here by choice, and the request can be sent again. */
  readonly isLeftAbove: boolean;
  /** The body of the refusal as it came; undefined: only what was read of it. */
  readonly unread?: Response["body"] | undefined;
}

/** The endpoint's own error as a response, if there is one: SDKs make of it what they are used to. Undefined: it is thrown. */
export function failedAnswer(failed: Failed): Response | undefined {
  const { failure } = failed;
  if (failure === undefined || failure.kind === "aborted") return undefined;
  const { cause } = failure;
  if (cause instanceof ResponseError && cause.status >= 200) return refuse(cause, failure, failed);
  if (!(cause instanceof AnswerError)) return undefined;
  const { headers } = cause;
  const status = statusIn(failure) ?? statusOfKind(failure.kind);
  const body = JSON.stringify(bodyFor(cause));
  return refuse(
    { status, statusText: "", headers: { ...headers, "content-type": "application/json" }, body },
    failure,
    failed,
  );
}

type Refused = Pick<ResponseError, "status" | "statusText" | "headers" | "body">;

function refuse(
  { status, statusText, headers: theirs, body }: Refused,
  failure: Failure,
  { receipt, isLeftAbove, unread }: Failed,
): Response {
  const headers = new Headers(theirs);
  // They told of the body as it came: compressed, perhaps longer.
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  for (const [name, value] of Object.entries(receiptHeaders(receipt))) headers.set(name, value);
  // Layers above that know this header do not try again what was given up here.
  if (!isLeftAbove) headers.set("x-should-retry", "false");
  if (failure.hintMs !== undefined && !headers.has("retry-after"))
    headers.set("retry-after", String(Math.ceil(failure.hintMs / 1000)));
  const response = new Response(WITHOUT_BODY.has(status) ? null : (unread ?? body), { status, statusText, headers });
  return keepReceipt(response, { receipt });
}

function statusIn({ status }: Failure): number | undefined {
  return status !== undefined && status >= 400 && status <= 599 ? status : undefined;
}

/** What the SDKs read an error out of. */
function bodyFor({ error, message }: AnswerError): unknown {
  if (typeof error !== "object" || error === null) return { error: { message } };
  return "error" in error ? error : { error };
}
