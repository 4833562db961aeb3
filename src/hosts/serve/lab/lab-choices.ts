import {
  FIGURES,
  LAB_POLICY_NAMES,
  PEER_NAMES,
  SCENARIO_NAMES,
  type Scenario,
  scenarioOf,
  shapeOf,
} from "../../../simulator/lab/index.ts";
import type { LabChoices, LabFigure, LabScenario } from "../../../wire/http/server.ts";

/** What can be chosen in the lab. `own`: names of the user's policies. */
export function labChoices(own: readonly string[]): LabChoices {
  const known = LAB_POLICY_NAMES.filter((name) => !own.includes(name));
  return {
    scenarios: SCENARIO_NAMES.map((name) => labScenario(scenarioOf(name))),
    policies: [
      ...own.map((name) => ({ name, group: "own" as const })),
      ...known.map((name) => ({ name, group: groupOf(name) })),
    ],
    figures: FIGURES.map(({ key, label, meaning, unit, better }): LabFigure => ({ key, label, meaning, unit, better })),
  };
}

function groupOf(name: string): "preset" | "peer" | "none" {
  if (name === "none") return "none";
  return PEER_NAMES.includes(name) ? "peer" : "preset";
}

export function labScenario(scenario: Scenario): LabScenario {
  const { name, title, description, outageMs, load } = scenario;
  return { name, title, description, outageSeconds: outageMs / 1000, load, shape: shapeOf(scenario) };
}
