import type { Ports } from "../../kernel/index.ts";
import { failedResponse } from "../../library/failed-response.ts";
import { ResponseError } from "../../library/response-error.ts";
import type { Incoming } from "./transport/index.ts";

/** The error of a response that is no answer: refused, or redirected to where it is not followed. */
export async function refusalOf(response: Incoming, ports: Ports): Promise<ResponseError> {
  const failed = failedResponse(response, ports);
  if (failed !== undefined) return failed;
  const { status, statusText, url } = response;
  return new ResponseError({ status, statusText, headers: headersOf(response), body: await response.text(), url });
}

export function headersOf({ headers }: Incoming): Record<string, string> {
  return Object.fromEntries(headers);
}
