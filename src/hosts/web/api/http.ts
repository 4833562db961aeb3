import { shallowRef } from "vue";
import type { SessionInfo } from "../../../wire/http/server.ts";
import { ApiFailure, failureOf } from "./api-failure.ts";
import { serverClock } from "./server-clock.ts";

/** Raised when the server wants a key that it did not want before, or no longer knows the session. */
export const lockedOut = shallowRef(0);

let token = "";
let opening: Promise<SessionInfo> | undefined;

/** `GET /api/session`. One request at a time. */
export function openSession(): Promise<SessionInfo> {
  opening ??= fetchSession().finally(() => {
    opening = undefined;
  });
  return opening;
}

async function fetchSession(): Promise<SessionInfo> {
  const response = await send("GET", "/api/session");
  if (!response.ok) throw await failureOf(response);
  const info = (await response.json()) as SessionInfo;
  token = info.token;
  serverClock.heard(info.now);
  return info;
}

/** Where the server has access keys: a right one sets a cookie that scripts can't read. */
export async function logIn(key: string): Promise<void> {
  const response = await send("POST", "/api/session", { key });
  if (!response.ok) throw await failureOf(response);
}

/** For the WebSocket's address: a browser can't set its headers. */
export function sessionToken(): string {
  return token;
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const sentMs = performance.now();
  try {
    const response = await fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(token !== "" && { "x-secondwind-token": token }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      cache: "no-store",
      credentials: "same-origin",
    });
    serverClock.heardDate(response.headers.get("date"), sentMs);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, "");
  }
}

/** A restarted server has a new token: it is fetched, and the request is sent once more. */
async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const used = token;
  let response = await send(method, path, body, signal);
  if (response.status === 401 || response.status === 403) {
    const refused = response;
    const { needsKey } = await openSession();
    if (needsKey) lockedOut.value += 1;
    if (needsKey || token === used) throw await failureOf(refused);
    response = await send(method, path, body, signal);
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

async function json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await request(method, path, body, signal);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** The HTTP API. Every call throws `ApiFailure`; `sayFailure` has its words. */
export const api = {
  get: <T>(path: string, signal?: AbortSignal) => json<T>("GET", path, undefined, signal),
  post: <T>(path: string, body: unknown = {}, signal?: AbortSignal) => json<T>("POST", path, body, signal),
  put: <T>(path: string, body: unknown) => json<T>("PUT", path, body),
  patch: <T>(path: string, body: unknown) => json<T>("PATCH", path, body),
  delete: <T = void>(path: string) => json<T>("DELETE", path),
  /** Starts a turn and returns its conversation. The turn goes on without this request; its events come over the WebSocket. */
  async start(path: string, body: unknown): Promise<string | undefined> {
    const response = await request("POST", path, body);
    const id = response.headers.get("x-conversation-id") ?? undefined;
    void response.body?.cancel().catch(() => undefined);
    return id;
  },
  /** The raw response, for downloads. */
  raw: (path: string) => request("GET", path),

  /** One JSON object a line, as it arrives. */
  async *lines<T>(path: string, body: unknown, signal?: AbortSignal): AsyncGenerator<T> {
    const response = await request("POST", path, body, signal);
    const reader = response.body?.pipeThrough(new TextDecoderStream() as never).getReader() as
      | ReadableStreamDefaultReader<string>
      | undefined;
    let rest = "";
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      const lines = (rest + (value ?? "")).split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as T;
      if (done) return;
    }
  },
};
