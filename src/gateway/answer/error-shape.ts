import type { WireFormat } from "../../formats/index.ts";

/** An error of the gateway's own: the endpoint said nothing that could be passed on. */
export interface GatewayError {
  readonly status: number;
  readonly message: string;
  /** Why it stopped. */
  readonly code: string;
}

const TYPE = "secondwind_error";
const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  504: "DEADLINE_EXCEEDED",
};

/** An error in the shape that the clients of a format read. */
export function errorBody(format: WireFormat, { status, message, code }: GatewayError): string {
  switch (format) {
    case "openai":
      return JSON.stringify({ error: { message, type: TYPE, param: null, code } });
    case "anthropic":
      return JSON.stringify({ type: "error", error: { type: TYPE, message, code } });
    case "gemini":
      return JSON.stringify({
        error: { code: status, message, status: GOOGLE_STATUS[status] ?? "UNAVAILABLE", type: TYPE, reason: code },
      });
    default:
      return format satisfies never;
  }
}

/** The event that ends a stream of a format with an error. */
export function errorEvent(format: WireFormat, path: string, error: GatewayError): string {
  if (format === "anthropic") {
    const { message, code } = error;
    // Claude Code asks again after a type that it knows, and gives up at any other.
    return `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "api_error", message, code, by: TYPE } })}\n\n`;
  }
  if (format === "openai" && path.endsWith("/responses")) {
    const { message, code } = error;
    return `event: error\ndata: ${JSON.stringify({ type: "error", code, message, param: null, error: { type: TYPE, message, code } })}\n\n`;
  }
  return `data: ${errorBody(format, error)}\n\n`;
}
