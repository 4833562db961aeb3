import { Vault } from "../credentials/index.ts";
import { MODELS } from "../simulator/http/dialects/list-models.ts";
import { IN_PROCESS_ORIGIN } from "../simulator/http/in-process/origin.ts";
import type { SimulatorOptions } from "../simulator/http/index.ts";
import { checkOptions } from "../simulator/http/server/check-options.ts";
import { aiSdkProvider } from "./ai-sdk/ai-sdk-provider.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Line } from "./line/line.ts";
import type { Provider } from "./provider.ts";
import { openHandle, type SimulatorHandle } from "./simulator-handle.ts";

/** The simulated provider, which is always there: `sim/sonnet` follows the weather; `sim/overloaded-twice`, `sim/stall-5` … do what they say. */
export const SIMULATED: Endpoint = {
  name: "sim",
  title: "Simulated",
  // The richest of the wire formats: reasoning with signatures, pings, usage in every stream.
  speech: "anthropic",
  baseUrl: `${IN_PROCESS_ORIGIN}/v1`,
  keyVariables: [],
  needsKey: true,
  models: MODELS,
  embeddings: ["ok"],
};

/** Two, so that one can be changed for the other. They are no secrets, and too short to be taken for some. */
export const SIMULATED_CREDENTIALS = ["sim#1", "sim#2"] as const;

/**
 * The default seed. In a storm the first prompt to `sim/sonnet` gets 503, then 529, then its answer; the fourth answer breaks off;
 * no outage lasts longer than three calls for a long while. In drizzle the first prompt is rate limited once; with `quota` each key
 * answers four times.
 */
export const STORY_SEED = 5_149_975;

export interface SimulatedProvider extends Provider {
  /** Changes the weather while the process runs. */
  readonly simulator: SimulatorHandle;
}

/**
 * All that a real provider does, without a key, a port and a socket: the simulator's own server, reached through memory by the
 * same client that the real ones are reached with. `seed` defaults to `STORY_SEED`.
 */
export function simulatedProvider(options: Omit<SimulatorOptions, "port"> = {}): SimulatedProvider {
  checkOptions(options);
  const { handle, connect } = openHandle(options.weather ?? "calm");
  let opened: Promise<Line> | undefined;
  // The servers are loaded with the first request: most who have keys never make one.
  const open = async (): Promise<Line> => {
    const { simulateInProcess } = await import("../simulator/http/in-process/simulate-in-process.ts");
    const simulator = simulateInProcess({ seed: STORY_SEED, ...options });
    connect(simulator);
    return simulator.fetch;
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
  return { ...chat, ...(embed !== undefined && { embed }), simulator: handle };
}
