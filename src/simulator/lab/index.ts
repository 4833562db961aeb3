export type { Band } from "./bands.ts";
export { TIME_LIMIT_MS } from "./engine-for.ts";
export { type Figures, figuresOf, worstOf } from "./figures-of.ts";
export { LAB_POLICY_NAMES, labPolicy } from "./lab-policies.ts";
export type { Measured } from "./measure.ts";
export { burstSize, hasPeak, type LabRun, runLab, sizeFor } from "./run-lab.ts";
export { SCENARIO_NAMES, type ScenarioName, scenarioOf } from "./scenarios.ts";
export { emptySurvey, type PolicySurvey, type Survey, type SurveyInput, survey } from "./survey.ts";
export type { Counted, Gauged } from "./tally.ts";
