import { inShort } from "./in-short.ts";
import { type Answer, type Call, type Line, StreamedAnswer } from "./line.ts";
import { PlainHeaders } from "./plain-headers.ts";
import { tapped } from "./tapped.ts";

/** What one call to an endpoint is made with. */
export interface LineOptions {
  /** Whose key it is: no other origin ever gets it. */
  readonly origin: string;
  readonly line: Line;
  /** A stream of events, or one JSON value. */
  readonly expects: "events" | "json";
  readonly onKeepAlive?: () => void;
  /** Called when the headers have come, of a good answer or a bad one. */
  readonly onHead?: OnHead;
}

/** Status and headers of a response, before its body. */
export type OnHead = (status: number, headers: Iterable<readonly [string, string]>) => void;

/** Where the providers have their keys. `fetch` itself takes only the first away when it follows a redirect. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"];
const MOST_REDIRECTS = 5;

type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` for exactly one call of the AI SDK, which gives it an address and a plain object, and looks at no more of a
 * `Response` than an `Answer` has. Some SDKs would go on by themselves (Google's, after a `CONTINUATION`): what is tried again is
 * decided in one place only, so a second call is refused.
 */
export function oneCall(options: LineOptions): Fetch {
  let isUsed = false;
  const call = async (address: string | URL, init: Call = {}): Promise<Answer> => {
    if (isUsed) throw new Error("Blocked a second HTTP call for the same request: only the engine retries");
    isUsed = true;
    const answer = await follow(new URL(address), init, options);
    options.onHead?.(answer.status, answer.headers);
    if (!answer.ok) return inShort(answer);
    if (options.expects === "json") return answer;
    await refusePage(answer);
    const { onKeepAlive } = options;
    if (onKeepAlive === undefined || answer.body === null) return answer;
    return new StreamedAnswer(answer, tapped(answer.body, onKeepAlive));
  };
  return call as Fetch;
}

/** Follows redirects that keep method and body. On another origin the key stays behind. */
async function follow(first: URL, call: Call, { origin, line }: LineOptions): Promise<Answer> {
  let url = first;
  const headers = new PlainHeaders(call.headers);
  for (let hop = 0; ; hop += 1) {
    if (url.origin !== origin) for (const name of KEY_HEADERS) headers.delete(name);
    const answer = await line(url, { ...call, headers: Object.fromEntries(headers), redirect: "manual" });
    const location = answer.headers.get("location");
    const isRedirect = (answer.status === 307 || answer.status === 308) && location !== null;
    if (!isRedirect || hop >= MOST_REDIRECTS) return answer;
    await answer.body?.cancel();
    url = new URL(location, url);
  }
}

/** HTTP 200 with a page or a JSON value is no stream: the SDKs take it for an answer without content. */
async function refusePage(answer: Answer): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  if (!/^(?:application\/json|text\/html)\b/i.test(type)) return;
  const responseBody = await (await inShort(answer)).text();
  const what = /json/i.test(type) ? "a JSON value" : "an HTML page";
  // A body that names its error is to be judged by that.
  const code = /^\s*\{[\s\S]*"error"/.test(responseBody) ? {} : { code: "stream_broken" };
  const headers = Object.fromEntries(answer.headers);
  const message = `HTTP ${answer.status} with ${what} instead of a stream: ${responseBody}`;
  throw Object.assign(new Error(message), { ...code, headers, responseBody });
}
