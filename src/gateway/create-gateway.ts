import { Gateway } from "./gateway.ts";
import type { GatewayClient, GatewayConfig, GatewayOptions } from "./options.ts";

/** As much of Node's `IncomingMessage` as tells one: the package's types do without those of Node. */
export interface GatewayRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
}

/** As much of Node's `ServerResponse` as tells one. */
export interface GatewayResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
}

/** A gateway that answers requests. */
export interface RunningGateway {
  /** Requests under way. */
  readonly inFlight: number;
  /** Whether a path is the gateway's. */
  takes(path: string): boolean;
  /** Answers a request of a `node:http` server. Never throws. */
  handle(request: GatewayRequest, response: GatewayResponse, client?: GatewayClient): void;
  /** Replaces where requests may go. Those under way end as they began. Throws `InvalidInput`, and then nothing has changed. */
  configure(config: GatewayConfig): void;
  /** Stops accepting, lets what is under way finish for this long, ends the rest with an error, and closes the connections. */
  close(drainMs?: number): Promise<void>;
}

/**
 * Makes a gateway.
 *
 * ```ts
 * const gateway = createGateway();
 * createServer((request, response) => gateway.handle(request, response)).listen(4747, "127.0.0.1");
 * ```
 */
export function createGateway(options: GatewayOptions = {}): RunningGateway {
  return new Gateway(options) as RunningGateway;
}
