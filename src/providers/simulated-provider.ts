import { Vault } from "../credentials/index.ts";
import {
  BEHAVIOUR_NAMES,
  IN_PROCESS_ORIGIN,
  type SimulatorOptions,
  simulateInProcess,
} from "../simulator/http/index.ts";
import { aiSdkProvider } from "./ai-sdk/ai-sdk-provider.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Provider } from "./provider.ts";

/** The simulated provider, which is always there: `sim/ok`, `sim/overloaded-twice`, `sim/stall-5` … */
export const SIMULATED: Endpoint = {
  name: "sim",
  title: "Simulated",
  // The richest of the wire formats: reasoning with signatures, pings, usage in every stream.
  speech: "anthropic",
  baseUrl: `${IN_PROCESS_ORIGIN}/v1`,
  keyVariables: [],
  needsKey: true,
  models: BEHAVIOUR_NAMES.filter((name) => !name.includes("<")),
  embeddings: ["ok"],
};

/** Two, so that one can be changed for the other. They are no secrets, and too short to be taken for some. */
export const SIMULATED_CREDENTIALS = ["sim#1", "sim#2"] as const;

/**
 * All that a real provider does, without a key, a port and a socket: the simulator's own server, reached through memory by the
 * same client that the real ones are reached with.
 */
export function simulatedProvider(options: Omit<SimulatorOptions, "port"> = {}): Provider {
  const { fetch } = simulateInProcess(options);
  const vault = new Vault();
  for (const id of SIMULATED_CREDENTIALS) {
    vault.add({ id, provider: SIMULATED.name, origin: IN_PROCESS_ORIGIN, from: "built in", secret: id });
  }
  const chat = aiSdkProvider({ endpoint: SIMULATED, vault, fetch });
  const { embed } = aiSdkProvider({ endpoint: { ...SIMULATED, speech: "openai-chat" }, vault, fetch });
  return { ...chat, ...(embed !== undefined && { embed }) };
}
