import { type FaultCase, RETRIED, WHOLE } from "./fault-case.ts";

const REFUSED = "error: network, 3 calls";

/** Faults 1 to 5 and 7: the connection. */
export const CONNECT_CASES: readonly FaultCase[] = [
  { fault: 1, title: "connection refused", model: "ok", place: "refused", streamed: REFUSED, whole: REFUSED },
  {
    ...{ fault: 2, title: "SYN dropped", model: "ok", place: "dropped", isQuiet: true },
    ...{ streamed: "error: silent, 3 calls" },
  },
  { fault: 3, title: "DNS failure", model: "ok", place: "unnamed", streamed: REFUSED },
  { fault: 4, title: "DNS answers a private address", model: "ok", place: "private", streamed: WHOLE },
  { fault: 5, title: "TLS failure", model: "ok", place: "untrusted", streamed: "error: network" },
  { fault: 7, title: "stale keep-alive socket", model: "fault-7", place: "kept", streamed: RETRIED, whole: RETRIED },
];
