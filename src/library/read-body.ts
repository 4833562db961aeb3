/** What `fetch` resolves to, in any realm and by any implementation: undici, node-fetch, a polyfill, a mock. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText?: string;
  readonly url?: string;
  readonly type?: string;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  text(): Promise<string>;
}

/** Longer bodies are cut off: an error says what it has to say at its beginning. */
const MOST_BYTES = 65_536;

/** The beginning of a body. `text` never rejects. */
interface Reading {
  readonly text: Promise<string>;
  /** Ends it with what has come so far. */
  stop(): void;
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  /** Gives up the rest, which closes the connection. */
  cancel(): unknown;
}

/** Reads the beginning of a body of any implementation: a web stream, a Node stream, or only `text()`. */
export function readBody(response: FetchResponse): Reading {
  let stop: () => void = () => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  return { text: read(response, stopped).catch(() => ""), stop: () => stop() };
}

async function read(response: FetchResponse, stopped: Promise<undefined>): Promise<string> {
  if (response.bodyUsed === true) return "";
  const reader = readerOf(response.body);
  if (reader === undefined) return ((await Promise.race([response.text(), stopped])) ?? "").slice(0, MOST_BYTES);
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < MOST_BYTES) {
      const step = await Promise.race([reader.read(), stopped]);
      if (step?.done === true) return text + decoder.decode();
      if (step === undefined) break;
      const chunk = toBytes(step.value).subarray(0, MOST_BYTES - bytes);
      bytes += chunk.length;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    // The connection broke: what has come is what there is.
    return text;
  }
  // Not awaited: a source may take its time to close.
  Promise.resolve(reader.cancel()).catch(() => undefined);
  return text;
}

function readerOf(body: unknown): Reader | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if ("getReader" in body && typeof body.getReader === "function") return body.getReader() as Reader;
  if (!(Symbol.asyncIterator in body)) return undefined;
  const source = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const destroy = "destroy" in body && typeof body.destroy === "function" ? body.destroy.bind(body) : undefined;
  return {
    read: async () => {
      const { done = false, value } = await source.next();
      return { done, value };
    },
    cancel: () => (destroy === undefined ? source.return?.() : destroy()),
  };
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  // Of another realm.
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return new TextEncoder().encode(String(chunk));
}
