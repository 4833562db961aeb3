/**
 * Simulated OpenAI, Anthropic and Gemini endpoints for tests. They speak the real wire formats and fail like the real ones.
 *
 * ```ts
 * const sim = await startSimulator({ timeScale: 0.01 });
 * const client = new OpenAI({ apiKey: "test", baseURL: sim.urls.openai });
 * await client.chat.completions.create({ model: "overloaded-twice", messages }); // 503, 503, then an answer
 * sim.requests; // what was received
 * await sim.close();
 * ```
 *
 * The model's name selects the behaviour. Other models follow the scenario, or else the weather.
 */

/** The names of all behaviours, for use as a model's name, in `x-sim-behaviour`, and in a scenario. */
export { BEHAVIOUR_NAMES } from "./behaviour/parse-behaviour.ts";
export { InvalidScenario, type ScenarioBehaviour, type ScenarioInput } from "./behaviour/parse-scenario.ts";
export { WEATHERS, type Weather } from "./behaviour/weather.ts";
/** Faults 1 to 5 happen before a connection is established: each gets an address where connecting fails. */
export {
  type ConnectFault,
  type ConnectFaultServer,
  type Lookup,
  startConnectFault,
} from "./connect/start-connect-fault.ts";
export { TLS_FLAWS, type TlsFlaw } from "./connect/tls-server.ts";
export type { Provider } from "./dialects/dialect.ts";
/** Faults 6 to 51 by number: `fault-20-137` as a model's name, or `20-137` in `x-sim-fault`. */
export type { FaultDescription } from "./faults/fault.ts";
export { FAULTS } from "./faults/fault-table.ts";
export type { Fetch } from "./in-process/open-door.ts";
export { type InProcessSimulator, simulateInProcess } from "./in-process/simulate-in-process.ts";
export type { ReceivedRequest } from "./server/request-log.ts";
export type { SimulatorControls, SimulatorOptions, SimulatorUrls } from "./server/simulator-state.ts";
export { type Simulator, startSimulator } from "./server/start-simulator.ts";
