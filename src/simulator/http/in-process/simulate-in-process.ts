import { makeServer } from "../server/make-server.ts";
import {
  controlsOf,
  createState,
  type SimulatorControls,
  type SimulatorOptions,
  type SimulatorState,
} from "../server/simulator-state.ts";
import { type Fetch, fetchFrom } from "./fetch-from.ts";
import { IN_PROCESS_ORIGIN, OTHER_ORIGIN } from "./origin.ts";

/** A simulator without a port. There is nothing to close. */
export interface InProcessSimulator extends SimulatorControls {
  /** Reaches the simulator at `url` and nothing else. */
  readonly fetch: Fetch;
}

/** The same endpoints without a port or a socket: `fetch` reaches them through memory, with the same bytes and faults. */
export function simulateInProcess(options: Omit<SimulatorOptions, "port"> = {}): InProcessSimulator {
  const state = createState(options);
  state.otherOrigin = OTHER_ORIGIN;
  return Object.assign(controlsOf(state, IN_PROCESS_ORIGIN), { fetch: fetchInProcess(state, IN_PROCESS_ORIGIN) });
}

/** A `fetch` that reaches the endpoints of this state at the given origin, and at its second one. */
export function fetchInProcess(state: SimulatorState, origin: string): Fetch {
  return fetchFrom(
    new Map([
      [origin, makeServer(state, "main")],
      [state.otherOrigin, makeServer(state, "other")],
    ]),
  );
}
