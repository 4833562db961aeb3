import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { KEY } from "./agents.ts";

/** A request of an agent, without its key and without what differs from run to run. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Long texts and lists are shortened. */
  readonly body?: unknown;
}

export interface Recorder {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Notes every request and passes it on. The simulator's own log leaves out the headers that carry a key. */
export async function startRecorder(origin: string): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", headers, url = "/" } = incoming;
    const body = await buffer(incoming);
    requests.push(sanitized({ method, url: new URL(url, origin), headers, body }));
    const onward = request(new URL(url, origin), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Raw {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** They follow from the shortened body, from the port and from chance. */
const LEFT_OUT = new Set(["content-length", "host", "sec-websocket-key"]);

function sanitized({ method, url, headers, body }: Raw): RecordedRequest {
  const shown = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
  return {
    method,
    path: url.pathname,
    query: Object.fromEntries([...url.searchParams].map(([name, value]) => [name, withoutTraces(value)])),
    headers: Object.fromEntries(shown.map(([name, value]) => [name, withoutTraces(String(value))])),
    ...(body.length > 0 && { body: shortened(parse(body)) }),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return `<${body.length} bytes that are no JSON>`;
  }
}

const LONGEST_TEXT = 80;
const LONGEST_LIST = 3;

function shortened(value: unknown): unknown {
  if (typeof value === "string") {
    const text = withoutTraces(value);
    return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
  }
  // From the end, because the last message is the prompt.
  if (Array.isArray(value)) return value.slice(-LONGEST_LIST).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortenedField(name, one)]));
}

const SCHEMAS = new Set(["input_schema", "parameters", "parametersJsonSchema"]);

function shortenedField(name: string, value: unknown): unknown {
  if (SCHEMAS.has(name)) return { type: "object" };
  return name === "create_time" ? 0 : shortened(value);
}

/** Keys, ids, folders and times of this run. */
function withoutTraces(text: string): string {
  return text
    .replaceAll(KEY, "<key>")
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "00000000-0000-0000-0000-000000000000")
    .replace(/\b\d{4}-\d\d-\d\d\b(?=\.\n)/g, "2026-01-01")
    .replace(/\bses_[0-9A-Za-z]+/g, "ses_0")
    .replace(/\b[0-9a-f]{40,}\b/g, "0")
    .replace(/\/tmp\/secondwind-agent-\w+/g, "/home/user")
    .replace(/"turn_started_at_unix_ms":\d+/g, '"turn_started_at_unix_ms":0')
    .replace(/(linux|Linux|Debian)[ \w./-]*\d[\w.-]*/g, "$1");
}
