import type { LookupFunction } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import {
  type ConnectFaultServer,
  type Simulator,
  type SimulatorUrls,
  startConnectFault,
} from "../../../src/simulator/http/index.ts";

/** Places where a connection can't be made, or not as it should. `kept`: the second request on a connection is reset. */
export type PlaceName = "refused" | "dropped" | "unnamed" | "private" | "untrusted" | "kept";

export interface Place {
  readonly urls: SimulatorUrls;
  readonly fetch?: typeof globalThis.fetch;
  /** How its name is looked up. */
  readonly lookup?: LookupFunction;
  /** One request before, which is answered: the connection stays open. */
  readonly isWarm?: true;
}

export interface Places {
  at(name: PlaceName | undefined): Place;
  close(): Promise<void>;
}

export async function openPlaces({ urls, url, port }: Simulator): Promise<Places> {
  const faults = {
    refused: await startConnectFault({ type: "connection-refused" }),
    dropped: await startConnectFault({ type: "connect-timeout" }),
    unnamed: await startConnectFault({ type: "unknown-host" }),
    private: await startConnectFault({ type: "private-address", address: "127.0.0.1", port }),
    untrusted: await startConnectFault({ type: "tls", flaw: "self-signed" }),
  };
  const agents: Agent[] = [];
  const through = (agent: Agent): typeof globalThis.fetch => {
    agents.push(agent);
    const send = (input: unknown, init: object = {}) => undiciFetch(String(input), { ...init, dispatcher: agent });
    return send as unknown as typeof globalThis.fetch;
  };
  return {
    at(name) {
      if (name === undefined) return { urls };
      // One agent for each cell, so that only its own requests are on the connection.
      if (name === "kept") return { urls, fetch: through(new Agent({ connections: 1 })), isWarm: true };
      const fault: ConnectFaultServer = faults[name];
      const moved = JSON.parse(JSON.stringify(urls).replaceAll(url, fault.url)) as SimulatorUrls;
      const { lookup } = fault;
      return lookup === undefined
        ? { urls: moved }
        : {
            urls: moved,
            lookup: lookup as LookupFunction,
            fetch: through(new Agent({ connect: { lookup: lookup as never } })),
          };
    },
    async close() {
      await Promise.all(agents.map((agent) => agent.destroy()));
      await Promise.all(Object.values(faults).map((fault) => fault.close()));
    },
  };
}
