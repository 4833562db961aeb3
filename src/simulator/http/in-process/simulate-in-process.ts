import { makeServer } from "../server/make-server.ts";
import {
  controlsOf,
  createState,
  type SimulatorControls,
  type SimulatorOptions,
  type SimulatorState,
} from "../server/simulator-state.ts";
import { type Fetch, type InProcessDoor, openDoor } from "./open-door.ts";
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
  return Object.assign(controlsOf(state, IN_PROCESS_ORIGIN), { fetch: doorInProcess(state, IN_PROCESS_ORIGIN).fetch });
}

/** A door to the endpoints of this state at the given origin, and at its second one. */
export function doorInProcess(state: SimulatorState, origin: string): InProcessDoor {
  return openDoor(
    new Map([
      [origin, makeServer(state, "main")],
      [state.otherOrigin, makeServer(state, "other")],
    ]),
  );
}
