const KEY = /([?&]key=)[^&#]*/g;

/** A `Response` that is not `ok`, as an error. Thrown, or the `cause` of the `SecondwindError` after retries. */
export class ResponseError extends Error {
  readonly status: number;
  readonly statusText: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body: up to 64 KiB. */
  readonly body: string;
  /** Without the key that Gemini takes there. */
  readonly url: string;

  constructor({ status, statusText, headers, body, url }: Omit<ResponseError, keyof Error>) {
    // `Response.error()`, as a service worker gives it, has the status 0.
    super(status === 0 ? "fetch failed" : `HTTP ${status} ${statusText}`.trim());
    this.name = "ResponseError";
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
    this.body = body;
    this.url = String(url).replace(KEY, "$1…");
  }
}
