import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { SECURITY_HEADERS } from "../../../../src/hosts/serve/listener/security-headers.ts";
import type { ActivityPage, ActivityRecord, ActivitySummary, HealthView } from "../../../../src/wire/http/activity.ts";
import type { ConversationView } from "../../../../src/wire/http/chat.ts";
import type { SessionInfo } from "../../../../src/wire/http/server.ts";
import type { AgentEvent } from "../../../../src/wire/turn-event.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export const SESSION: SessionInfo = {
  token: "token",
  version: "0.1.0",
  needsKey: false,
  isSimulated: true,
  now: Date.now(),
  isPersistent: false,
  models: [{ id: "sim/sonnet", provider: "sim" }],
  model: "sim/sonnet",
  policy: "patient",
  weather: { weather: "storm", faults: [] },
};

export interface FakeServer {
  readonly url: string;
  session: SessionInfo;
  conversations: readonly ConversationView[];
  /** By path: what any other request gets. */
  answers: Readonly<Record<string, unknown>>;
  /** Newest first, as the server lists them. */
  records: ActivityRecord[];
  summary: ActivitySummary;
  health: HealthView;
  /** Requests that change something: "POST /api/generations/g1/retry-now". */
  readonly actions: string[];
  /** To every page that follows activity. */
  send(records: readonly ActivityRecord[], health?: HealthView): void;
  /** To every page that follows the conversation. */
  emit(event: AgentEvent): void;
  close(): Promise<void>;
}

export const NO_SUMMARY: ActivitySummary = {
  since: Date.now() - 86_400_000,
  at: Date.now(),
  generations: 0,
  running: 0,
  waiting: 0,
  first: 0,
  retried: 0,
  failed: 0,
  aborted: 0,
  medianWaitMs: null,
  p95WaitMs: null,
  waitBucketsMs: [],
  waits: [],
  failures: [],
  saved: [],
  savedOverTime: [],
  providers: [],
  clients: [],
  doors: [],
};

/** Serves the built page, and an API with whatever records a test gives it: for figures that a real server would need hours for. */
export async function fakeServer(pageFolder: string): Promise<FakeServer> {
  const sockets = new Set<WebSocket>();
  const followers = new Map<WebSocket, Set<string>>();
  const server = createServer((request, response) => void answer(request, response));
  const socketServer = new WebSocketServer({ server, path: "/ws" });
  socketServer.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { type, conversationId } = JSON.parse(String(data)) as { type: string; conversationId: string };
      if (type === "chat.subscribe") followers.set(socket, (followers.get(socket) ?? new Set()).add(conversationId));
      if (type === "chat.unsubscribe") followers.get(socket)?.delete(conversationId);
      if (type !== "activity.subscribe") return;
      sockets.add(socket);
      const running = fake.records.filter(({ state }) => state !== "ended");
      socket.send(JSON.stringify({ type: "activity.delta", records: running, health: fake.health }));
    });
    socket.on("close", () => {
      sockets.delete(socket);
      followers.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const fake: FakeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    session: SESSION,
    conversations: [],
    answers: {},
    records: [],
    summary: NO_SUMMARY,
    health: { items: [], fine: [], budgets: [] },
    actions: [],
    send(records, health) {
      const message = JSON.stringify({ type: "activity.delta", records, ...(health && { health }) });
      for (const socket of sockets) socket.send(message);
    },
    emit(event) {
      const message = JSON.stringify({ type: "chat.delta", event });
      for (const [socket, ids] of followers) if (ids.has(event.conversationId)) socket.send(message);
    },
    async close() {
      for (const socket of socketServer.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", fake.url);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const json = (value: unknown): void => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(value));
    };
    if (request.method !== "GET") {
      fake.actions.push(`${request.method} ${url.pathname}`);
      return json(fake.answers[url.pathname] ?? { ok: true });
    }
    if (url.pathname === "/api/session") return json({ ...fake.session, now: Date.now() });
    if (url.pathname === "/api/activity") return json(pageOf(fake.records, url.searchParams));
    if (url.pathname === "/api/activity/summary") return json({ ...fake.summary, at: Date.now() });
    if (url.pathname === "/api/health") return json(fake.health);
    if (url.pathname === "/api/conversations")
      return json({ conversations: fake.conversations.map(({ lines: _, ...summary }) => summary) });
    const conversation = fake.conversations.find(({ id }) => url.pathname === `/api/conversations/${id}`);
    if (conversation !== undefined) return json(conversation);
    if (url.pathname.startsWith("/api/")) return json(fake.answers[url.pathname] ?? []);
    const path = extname(url.pathname) === "" ? "/index.html" : url.pathname;
    const content = await readFile(join(pageFolder, path)).catch(() => undefined);
    response.writeHead(content === undefined ? 404 : 200, { "content-type": TYPES[extname(path)] ?? "text/plain" });
    response.end(content);
  }
  return fake;
}

function pageOf(records: readonly ActivityRecord[], query: URLSearchParams): ActivityPage {
  const from = Number(query.get("before") ?? 0);
  const limit = Number(query.get("limit") ?? 100);
  const end = from + limit;
  return { records: records.slice(from, end), ...(end < records.length && { next: `${end}` }) };
}
