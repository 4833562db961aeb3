export type { Activity, GenerationFacts, GenerationWatch } from "./activity.ts";
export { type ActivityOutcome, outcomeOf } from "./list-records.ts";
export { metricText } from "./metrics/metric.ts";
export { type ActivityOptions, openActivity } from "./open-activity.ts";
export { generationFacts, sayGeneration } from "./say-generation.ts";
