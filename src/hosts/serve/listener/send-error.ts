import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ApiError } from "../../../wire/http/server.ts";
import type { Refusal } from "../guard/refusals.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  426: "Upgrade Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable",
};

export function errorBody(message: string, field?: string): string {
  const body: ApiError = { error: { message, ...(field !== undefined && { field }) } };
  return JSON.stringify(body);
}

export function sendError(response: ServerResponse, { status, message }: Refusal): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const body = errorBody(message);
  response.writeHead(status, { ...errorHeaders(status), "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** For a connection on which there is no response: a request that could not be parsed, or a WebSocket. */
export function writeError(socket: Duplex, { status, message }: Refusal): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  const body = errorBody(message);
  const headers = { ...SECURITY_HEADERS, ...errorHeaders(status), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${REASONS[status] ?? "Error"}\r\n${lines.join("")}`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy());
}

function errorHeaders(status: number): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 429 && { "retry-after": "60" }),
  };
}
