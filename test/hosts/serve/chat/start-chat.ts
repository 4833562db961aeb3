import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { chatRoutes } from "../../../../src/hosts/serve/api/chat-routes.ts";
import { serveApi } from "../../../../src/hosts/serve/api/serve-api.ts";
import type { ChatParts } from "../../../../src/hosts/serve/chat/chat-parts.ts";
import { ChatService } from "../../../../src/hosts/serve/chat/chat-service.ts";
import { serveSocket } from "../../../../src/hosts/serve/chat/serve-socket.ts";
import { definePolicy, MemoryHealth } from "../../../../src/kernel/index.ts";
import { patientPolicy } from "../../../../src/presets/index.ts";
import type { Provider } from "../../../../src/providers/provider.ts";
import { SIMULATED_CREDENTIALS, simulatedProvider } from "../../../../src/providers/simulated-provider.ts";
import type { ProviderEntry } from "../../../../src/session/index.ts";
import type { SimulatorOptions } from "../../../../src/simulator/http/index.ts";
import { memoryStore } from "../../../../src/store/index.ts";
import { systemPorts } from "../../../../src/system/index.ts";
import { readRetrySettings } from "../../../../src/wire/index.ts";
import { FakeActivity } from "./fake-activity.ts";

/** Retries as often as the patient one, but soon. */
export const QUICK = definePolicy(
  { name: "quick", schedules: { general: { type: "fixed", delayMs: 30, atMost: 200 } }, honourHints: false },
  patientPolicy(),
);

export interface LiveChat {
  readonly url: string;
  readonly service: ChatService;
  readonly activity: FakeActivity;
  readonly faults: unknown[];
}

interface LiveOptions extends Partial<ChatParts> {
  readonly simulator?: Omit<SimulatorOptions, "port">;
  /** Others than `sim`. */
  readonly more?: readonly Provider[];
}

/** The doors of the chat on loopback, without the guard: the simulated provider, the policy `quick`, and real time. */
export async function startChat({ simulator = {}, more = [], ...parts }: LiveOptions = {}): Promise<LiveChat> {
  const faults: unknown[] = [];
  const activity = new FakeActivity();
  const ports = systemPorts({ reportFault: (fault) => void faults.push(fault) });
  const sim = simulatedProvider(simulator);
  const entries = more.map((provider): [string, ProviderEntry] => [
    provider.name,
    { provider, credentials: ["key#1"] },
  ]);
  const service = new ChatService({
    providers: new Map<string, ProviderEntry>([
      ["sim", { provider: sim, credentials: SIMULATED_CREDENTIALS }],
      ...entries,
    ]),
    conversations: memoryStore().conversations,
    health: new MemoryHealth(),
    ports,
    redact: (value) => value,
    activity,
    defaults: async () => ({ model: "sim/ok", policy: "quick" }),
    settings: async () => readRetrySettings({}),
    policyOf: (name) => (name === "quick" ? QUICK : undefined),
    ...parts,
  });
  const reportFault = ports.reportFault;
  const api = serveApi({ routes: chatRoutes(service), bodyBytes: 1_000_000, reportFault });
  const server = createServer((request, response) => void api.handle(request, response, {}));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => serveSocket(socket, { service, activity, ports }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    await service.drain(0);
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, service, activity, faults };
}

/** A client's end of the WebSocket, with everything that it got. */
export class SocketClient {
  readonly got: Record<string, unknown>[] = [];
  readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => void this.got.push(JSON.parse(String(data))));
    socket.on("error", () => undefined);
  }

  static async open(url: string): Promise<SocketClient> {
    const client = new SocketClient(new WebSocket(url.replace("http", "ws")));
    onTestFinished(() => client.socket.terminate());
    await new Promise((resolve) => client.socket.on("open", resolve));
    return client;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  get events(): Record<string, unknown>[] {
    return this.got.flatMap(({ type, event }) => (type === "chat.delta" ? [event as Record<string, unknown>] : []));
  }

  get types(): unknown[] {
    return this.events.map(({ type }) => type);
  }

  get errors(): unknown[] {
    return this.got.flatMap(({ type, message }) => (type === "chat.error" ? [message] : []));
  }
}
