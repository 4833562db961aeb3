import { once } from "node:events";
import { connect, createServer } from "node:net";
import { dnsServer } from "./dns-server.ts";
import { fullBacklog } from "./full-backlog.ts";
import { close, HOST, listen } from "./listen.ts";
import { type TlsFlaw, tlsServer } from "./tls-server.ts";

/** A fault that happens before a connection is established, so no reply can produce it. Faults 1 to 5, in this order. */
export type ConnectFault =
  | { readonly type: "connection-refused" }
  /** The connection is neither accepted nor refused. */
  | { readonly type: "connect-timeout" }
  | { readonly type: "unknown-host" }
  /** The name resolves to `address`, 10.0.0.1 by default. With 127.0.0.1 and a simulator's `port` it can be reached. */
  | { readonly type: "private-address"; readonly address?: string; readonly port?: number }
  | { readonly type: "tls"; readonly flaw?: TlsFlaw };

/** As `net.connect` takes it. Written out, so that the declarations need no types of Node. */
export type Lookup = (
  hostname: string,
  options: object,
  callback: (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void,
) => void;

/** An address where connecting fails in one way. */
export interface ConnectFaultServer {
  /** Where to send a request. */
  readonly url: string;
  /** How to resolve the host, for clients that accept a resolver (`http.request`, undici's `connect`). */
  readonly lookup?: Lookup;
  /** The certificate to trust, so that nothing but the fault is wrong. */
  readonly ca?: string;
  close(): Promise<void>;
}

/** Starts a connect fault. Close it when done. */
export function startConnectFault(fault: ConnectFault): Promise<ConnectFaultServer> {
  switch (fault.type) {
    case "connection-refused":
      return closedPort();
    case "connect-timeout":
      return fullBacklog();
    case "unknown-host":
      // Also without this name server: `.invalid` never exists (RFC 6761).
      return dnsServer(() => "http://no-such-host.invalid", { type: "no-such-name" });
    case "private-address": {
      const { address = "10.0.0.1", port = 80 } = fault;
      return dnsServer((name) => `http://${name}:${port}`, { type: "address", address });
    }
    case "tls":
      return tlsServer(fault.flaw ?? "self-signed");
    default:
      return fault satisfies never;
  }
}

/** A port on which nothing listens. It is held by a connection of ours, so that no other server gets it meanwhile. */
async function closedPort(): Promise<ConnectFaultServer> {
  const server = createServer();
  const peer = await listen(server);
  const holder = connect({ host: HOST, port: peer });
  await once(holder, "connect");
  return {
    url: `http://${HOST}:${holder.localPort}`,
    close: async () => {
      holder.destroy();
      await close(server);
    },
  };
}
