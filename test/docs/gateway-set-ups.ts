import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway } from "../../src/gateway/index.ts";
import { type ScenarioInput, type Simulator, startSimulator } from "../../src/simulator/http/index.ts";

export interface GatewayWorld {
  /** What a client is pointed at, without a path. */
  readonly origin: string;
  readonly sim: Simulator;
  close(): Promise<void>;
}

/** A gateway whose known endpoints are those of a simulator. */
export async function startGatewayWorld(models: NonNullable<ScenarioInput["models"]>): Promise<GatewayWorld> {
  const sim = await startSimulator({ tokenMs: 0, firstTokenMs: 0, scenario: { models } });
  const gateway = createGateway({
    endpoints: {
      openai: { baseURL: sim.urls.openai, format: "openai" },
      anthropic: { baseURL: sim.urls.anthropic, format: "anthropic" },
      google: { baseURL: sim.urls.gemini, format: "gemini" },
    },
  });
  const server = createServer((request, response) => gateway.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sim,
    close: async () => {
      await gateway.close();
      await closed(server);
      await sim.close();
    },
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
