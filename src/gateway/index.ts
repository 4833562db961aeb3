/** Resilience by changing a base URL: a handler for any `node:http` server. */
export type { WireFormat } from "../formats/index.ts";
export type { Health, Listener, Policy, PolicyInput, Ports } from "../kernel/index.ts";
export { createGateway, type GatewayRequest, type GatewayResponse, type RunningGateway } from "./create-gateway.ts";
export type {
  GatewayAlias,
  GatewayClient,
  GatewayConfig,
  GatewayEndpoint,
  GatewayFacts,
  GatewayLimits,
  GatewayOptions,
  GatewayWatch,
} from "./options.ts";
