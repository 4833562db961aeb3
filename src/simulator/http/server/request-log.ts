import type { Provider } from "../dialects/dialect.ts";

/** A request as the simulator saw it. */
export interface SeenRequest {
  /** Counted from 1 since the start or the last reset. */
  readonly n: number;
  readonly atMs: number;
  /** `other`: it came to the second origin, where fault 12 leads. */
  readonly listener: "main" | "other";
  readonly provider: Provider;
  readonly method: string;
  readonly path: string;
  readonly model: string;
  /** Long keys are shortened: someone may have sent a real one. */
  readonly key: string;
  readonly isStreaming: boolean;
  /** The name of what was done about it. */
  readonly behaviour: string;
  /** 0: no head was sent. */
  readonly status: number;
  /** Of head and body together, as they went to the socket. */
  readonly bytesSent: number;
  /** `open`: still under way. `client-left`: the client closed before the end. `broken`: we closed before the end. */
  readonly state: "open" | "done" | "broken" | "client-left";
  readonly durationMs: number;
  /** The request's headers, the key left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** With `keepSent`, once it is over: the body that went out, up to a MiB. */
  readonly sent?: string;
}

const MOST_KEPT = 1000;
const KEY_HEADERS = new Set(["authorization", "x-api-key", "x-goog-api-key", "cookie"]);

/** What was received, oldest first. Only so many are kept: a simulator may run for days. */
export class RequestLog {
  private readonly kept: SeenRequest[] = [];
  private count = 0;

  get requests(): readonly SeenRequest[] {
    return this.kept.map((seen) => ({ ...seen }));
  }

  /** Writes a request down; what is found out later is added through the answer. */
  open(
    first: Omit<SeenRequest, "n" | "atMs" | "state" | "durationMs" | "bytesSent">,
  ): (more: Partial<SeenRequest>) => void {
    this.count += 1;
    let seen: SeenRequest = { ...first, n: this.count, atMs: Date.now(), state: "open", durationMs: 0, bytesSent: 0 };
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

/** Enough to tell keys apart. Keys of tests are short, real ones never. */
export function shortKey(key: string): string {
  return key.length <= SHOWN_WHOLE ? key : `${key.slice(0, 4)}…${key.slice(-4)}`;
}

export function shownHeaders(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => !KEY_HEADERS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** A query may have the key in it (Gemini). */
export function shownPath(url: URL): string {
  const key = url.searchParams.get("key");
  if (key === null) return url.pathname + url.search;
  const shown = new URL(url);
  shown.searchParams.set("key", shortKey(key));
  return shown.pathname + shown.search;
}
