import { Vault } from "../credentials/index.ts";
import { BEHAVIOUR_NAMES } from "../simulator/http/behaviour/parse-behaviour.ts";
import { IN_PROCESS_ORIGIN } from "../simulator/http/in-process/origin.ts";
import type { SimulatorOptions } from "../simulator/http/index.ts";
import { checkOptions } from "../simulator/http/server/check-options.ts";
import { aiSdkProvider } from "./ai-sdk/ai-sdk-provider.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Line } from "./line/line.ts";
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
  checkOptions(options);
  let opened: Promise<Line> | undefined;
  // The servers are loaded with the first request: most who have keys never make one.
  const open = async (): Promise<Line> => {
    const { simulateInProcess } = await import("../simulator/http/in-process/simulate-in-process.ts");
    return simulateInProcess(options).fetch;
  };
  const line: Line = async (url, call) => {
    opened ??= open();
    return (await opened)(url, call);
  };
  const vault = new Vault();
  for (const id of SIMULATED_CREDENTIALS) {
    vault.add({ id, provider: SIMULATED.name, origin: IN_PROCESS_ORIGIN, from: "built in", secret: id });
  }
  const chat = aiSdkProvider({ endpoint: SIMULATED, vault, line });
  const { embed } = aiSdkProvider({ endpoint: { ...SIMULATED, speech: "openai-chat" }, vault, line });
  return { ...chat, ...(embed !== undefined && { embed }) };
}
