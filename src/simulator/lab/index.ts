export type { Band, Bands } from "./bands.ts";
export { type LabPolicy, TIME_LIMIT_MS } from "./engine-for.ts";
export { LAB_POLICY_NAMES, labPolicy } from "./lab-policies.ts";
export type { Figures } from "./measure.ts";
export { type LabInput, type LabRun, runLab, sizeFor } from "./run-lab.ts";
export { SCENARIO_NAMES, type Scenario, type ScenarioName, scenarioOf } from "./scenarios.ts";
export { type PolicySurvey, type Survey, type SurveyInput, survey } from "./survey.ts";
export type { Counted, Gauged } from "./tally.ts";
