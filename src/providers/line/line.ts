import { PlainHeaders } from "./plain-headers.ts";

/** What is sent: as the AI SDK puts it to a `fetch`. */
export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** What comes back: as much of a `Response` as the AI SDK and we look at. */
export interface Answer extends Pick<Response, "ok" | "status" | "statusText" | "text" | "json" | "arrayBuffer"> {
  readonly headers: Pick<PlainHeaders, "get" | typeof Symbol.iterator>;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** How the world is reached: one request, one answer. Redirects are answers too. The built-in `fetch` with `manual` is one. */
export type Line = (url: URL, call: Call & { readonly redirect?: "manual" }) => Promise<Answer>;

/** An answer that is read from a stream. Once, like a `Response`. */
export class StreamedAnswer implements Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: PlainHeaders;
  readonly body: ReadableStream<Uint8Array>;

  constructor(
    { status, statusText, headers }: Pick<Answer, "status" | "statusText" | "headers">,
    body: Answer["body"],
  ) {
    this.status = status;
    this.statusText = statusText;
    this.headers = new PlainHeaders(headers);
    this.body = body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    return new Uint8Array(Buffer.concat(chunks)).buffer;
  }
}
