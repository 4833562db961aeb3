/** Names that no resolver knows (RFC 6761): a request that strays from this process fails instead of reaching somebody. */
export const IN_PROCESS_ORIGIN = "http://sim.invalid";
export const OTHER_ORIGIN = "http://other.sim.invalid";
