import { Gateway } from "./gateway.ts";
import type { GatewayOptions } from "./options.ts";

/**
 * Makes a gateway.
 *
 * ```ts
 * const gateway = createGateway();
 * createServer((request, response) => gateway.handle(request, response)).listen(4747, "127.0.0.1");
 * ```
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  return new Gateway(options);
}
