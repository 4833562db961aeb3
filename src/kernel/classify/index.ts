export { type ClassifyContext, classify } from "./classify.ts";
export { type EngineFailureKind, engineFailure } from "./engine-failure.ts";
export { DEFAULT_SCOPE, isUsuallyRetryable } from "./failure-defaults.ts";
