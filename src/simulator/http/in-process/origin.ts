/** Names that never resolve (RFC 6761): a request that leaves this process fails. */
export const IN_PROCESS_ORIGIN = "http://sim.invalid";
export const OTHER_ORIGIN = "http://other.sim.invalid";
