export { createAbortFanout } from "./abort-fanout.ts";
export {
  type ClosableContentCheck,
  type ContentCheckOptions,
  createContentCheck,
} from "./guarded-pattern/content-check.ts";
export type { MatchRequest } from "./guarded-pattern/match-text.ts";
export type { MatchReply, PatternWorker, StartWorker, WorkerEvents } from "./guarded-pattern/start-worker.ts";
export { validatePattern } from "./guarded-pattern/validate-pattern.ts";
export type { PatternValidity } from "./guarded-pattern/validate-pattern-now.ts";
export { sleep } from "./sleep.ts";
export { systemPorts } from "./system-ports.ts";
