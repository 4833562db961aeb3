export { createAbortFanout } from "./abort-fanout.ts";
export { createContentCheck } from "./guarded-pattern/content-check.ts";
export { validatePattern } from "./guarded-pattern/validate-pattern.ts";
export { sleep } from "./sleep.ts";
export { systemPorts } from "./system-ports.ts";
