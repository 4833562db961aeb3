/** Below this path every request is answered well: where the redirects of faults 11 and 12 lead. */
export const LANDED = "/_sim/landed";
