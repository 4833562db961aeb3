import type { Provider } from "../dialects/dialect.ts";

/** A request that the simulator received, and how it was answered. */
export interface ReceivedRequest {
  /** Counted from 1 since the start or the last reset. */
  readonly n: number;
  readonly atMs: number;
  /** `other`: it came to the second origin, where fault 12 redirects to. */
  readonly listener: "main" | "other";
  readonly provider: Provider;
  readonly method: string;
  readonly path: string;
  readonly model: string;
  /** Long keys are shortened, because a real one may have been sent. */
  readonly key: string;
  readonly isStreaming: boolean;
  /** The name of the behaviour, `scenario`, or the weather. */
  readonly behaviour: string;
  /** 0: no head was sent. */
  readonly status: number;
  /** Head and body, as written to the socket. */
  readonly bytesSent: number;
  /** `open`: in progress. `client-left`: the client closed early. `broken`: the simulator closed early. */
  readonly state: "open" | "done" | "broken" | "client-left";
  readonly durationMs: number;
  /** The request's headers without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** With `keepSent`, once it has ended: the body that was sent, up to one MiB. */
  readonly sent?: string;
}

const MOST_KEPT = 1000;
const KEY_HEADERS = new Set(["authorization", "x-api-key", "x-goog-api-key", "cookie"]);

/** The newest requests, oldest first. Limited, because a simulator may run for days. */
export class RequestLog {
  private readonly kept: ReceivedRequest[] = [];
  private count = 0;

  get requests(): readonly ReceivedRequest[] {
    return this.kept.map((seen) => ({ ...seen }));
  }

  /** Adds a request. Returns a function that updates it. */
  open(
    first: Omit<ReceivedRequest, "n" | "atMs" | "state" | "durationMs" | "bytesSent">,
  ): (more: Partial<ReceivedRequest>) => void {
    this.count += 1;
    let seen: ReceivedRequest = {
      ...first,
      n: this.count,
      atMs: Date.now(),
      state: "open",
      durationMs: 0,
      bytesSent: 0,
    };
    this.kept.push(seen);
    if (this.kept.length > MOST_KEPT) this.kept.shift();
    return (more) => {
      const place = this.kept.indexOf(seen);
      seen = { ...seen, ...more, durationMs: Date.now() - seen.atMs };
      if (place >= 0) this.kept[place] = seen;
    };
  }

  clear(): void {
    this.kept.length = 0;
    this.count = 0;
  }
}

const SHOWN_WHOLE = 20;

/** Enough to tell keys apart. Keys in tests are short, real ones never are. */
export function shortKey(key: string): string {
  return key.length <= SHOWN_WHOLE ? key : `${key.slice(0, 4)}…${key.slice(-4)}`;
}

export function shownHeaders(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => !KEY_HEADERS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The query may contain the key (Gemini). */
export function shownPath(url: URL): string {
  const key = url.searchParams.get("key");
  if (key === null) return url.pathname + url.search;
  const shown = new URL(url);
  shown.searchParams.set("key", shortKey(key));
  return shown.pathname + shown.search;
}
