import type { Ports, Sleeper } from "../kernel/index.ts";
import { type FetchResponse, readBody } from "./read-body.ts";
import { ResponseError } from "./response-error.ts";

/** An error page that drips must not hold the retry up. */
const BODY_LIMIT_MS = 5000;

/**
 * The error of a `Response` that is not `ok`; undefined for any other answer. Reads its body, so that the socket is free for the
 * next attempt, and so that the classifier sees what the endpoint said.
 */
export function failedResponse(answer: object, ports: Ports): Promise<ResponseError> | undefined {
  try {
    return isFailed(answer as Partial<FetchResponse>) ? toError(answer as FetchResponse, ports) : undefined;
  } catch {
    // A getter threw: no Response.
    return undefined;
  }
}

/**
 * Redirects, 304 and opaque responses are not `ok` either, but only come to those who asked for them: `redirect: "manual"`,
 * `if-none-match`, `mode: "no-cors"`.
 */
function isFailed(answer: Partial<FetchResponse>): boolean {
  // First and alone, because every good answer that is an object is asked this.
  if (answer.ok !== false) return false;
  const { status, type, headers, text } = answer;
  if (typeof status !== "number" || typeof text !== "function" || typeof headers?.forEach !== "function") return false;
  return status >= 400 || type === "error";
}

async function toError(response: FetchResponse, ports: Ports): Promise<ResponseError> {
  const reading = readBody(response);
  const limit: Sleeper = { wakeAtMs: 0, slot: -1, wake: reading.stop };
  ports.sleep(limit, BODY_LIMIT_MS);
  const body = await reading.text;
  ports.rouse(limit);
  const { status, statusText = "", url = "" } = response;
  return new ResponseError({ status, statusText, headers: headersOf(response), body, url });
}

function headersOf({ headers }: FetchResponse): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  headers.forEach((value, name) => {
    found[String(name).toLowerCase()] = String(value);
  });
  return found;
}
