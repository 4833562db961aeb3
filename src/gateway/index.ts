/** Resilience by changing a base URL: a handler for any `node:http` server. */
export type { Health, Listener, Policy, PolicyInput, Ports } from "../kernel/index.ts";
export { createGateway } from "./create-gateway.ts";
export type { GatewayClient } from "./gateway.ts";
export type {
  GatewayAlias,
  GatewayConfig,
  GatewayEndpoint,
  GatewayFacts,
  GatewayLimits,
  GatewayOptions,
  GatewayWatch,
} from "./options.ts";
