import type { SessionInfo } from "../../../wire/http/server.ts";
import { ApiFailure, failureOf } from "./api-failure.ts";
import { serverClock } from "./server-clock.ts";

const KEY_STORED = "secondwind.key";

let token = "";
let accessKey = "";
try {
  // For this tab only: a reload does not ask again.
  accessKey = sessionStorage.getItem(KEY_STORED) ?? "";
} catch {
  // Asked for again after a reload.
}
let opening: Promise<SessionInfo> | undefined;

/** `GET /api/session`, with a key if one is given. One request at a time. */
export function openSession(key?: string): Promise<SessionInfo> {
  if (key !== undefined) {
    accessKey = key;
    opening = undefined;
  }
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
  if (!info.needsKey && accessKey !== "") {
    try {
      sessionStorage.setItem(KEY_STORED, accessKey);
    } catch {
      // As above.
    }
  }
  return info;
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
        ...(accessKey !== "" && { authorization: `Bearer ${accessKey}` }),
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
    await openSession();
    if (token === used) throw await failureOf(refused);
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
