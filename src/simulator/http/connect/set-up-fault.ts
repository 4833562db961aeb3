import { closedPort } from "./closed-port.ts";
import { dnsServer } from "./dns-server.ts";
import { fullBacklog } from "./full-backlog.ts";
import type { Situation } from "./situation.ts";
import { type TlsFlaw, tlsServer } from "./tls-server.ts";

/** A fault that arises before a connection stands, so that no server can answer with it. */
export type ConnectFault =
  | { readonly number: 1 }
  | { readonly number: 2 }
  | { readonly number: 3 }
  /** The private address, and the port that the URL is to have: with 127.0.0.1 and a simulator's port it is reachable. */
  | { readonly number: 4; readonly address?: string; readonly port?: number }
  | { readonly number: 5; readonly flaw?: TlsFlaw };

const PRIVATE_ADDRESS = "10.0.0.1";

/** Sets the situation up. Whoever asks for it closes it. */
export function setUpFault(fault: ConnectFault): Promise<Situation> {
  switch (fault.number) {
    case 1:
      return closedPort();
    case 2:
      return fullBacklog();
    case 3:
      // Also without our name server: `.invalid` is promised never to exist (RFC 6761).
      return dnsServer(() => "http://no-such-host.invalid", { type: "no-such-name" });
    case 4: {
      const { address = PRIVATE_ADDRESS, port = 80 } = fault;
      return dnsServer((name) => `http://${name}:${port}`, { type: "address", address });
    }
    case 5:
      return tlsServer(fault.flaw ?? "self-signed");
    default:
      return fault satisfies never;
  }
}
