import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createGateway, type GatewayOptions } from "../../../src/gateway/index.ts";
import { systemPorts } from "../../../src/system/index.ts";

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly gateway: ReturnType<typeof createGateway>;
  /** What went wrong inside. */
  readonly faults: unknown[];
  /** How many connections clients have open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Three retries without a wait to speak of; nothing that one request leaves behind for the next. */
export const QUICK = {
  schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } },
  budget: null,
  breaker: null,
} as const;

/** All three formats at one origin, as the simulator has them. */
export function endpointsAt(origin: string): NonNullable<GatewayOptions["endpoints"]> {
  return {
    openai: { baseURL: `${origin}/v1`, format: "openai" },
    anthropic: { baseURL: `${origin}/v1`, format: "anthropic" },
    google: { baseURL: `${origin}/v1beta`, format: "gemini" },
  };
}

/** A gateway on a plain `node:http` server, without anything between. */
export async function startGateway(options: GatewayOptions): Promise<TestGateway> {
  const faults: unknown[] = [];
  const ports = options.ports ?? systemPorts();
  const gateway = createGateway({
    policy: QUICK,
    ...options,
    ports: { ...ports, reportFault: (fault) => void faults.push(fault) },
  });
  const server = createServer((request, response) => gateway.handle(request, response));
  server.on("clientError", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    gateway,
    faults,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await gateway.close();
    },
  };
}

/** The same, closed after the test. */
export async function gatewayOfTest(options: GatewayOptions): Promise<TestGateway> {
  const started = await startGateway(options);
  onTestFinished(() => started.close());
  return started;
}
