import { labEntrant, scenarioOf } from "../src/simulator/lab/index.ts";
import { type Cell, isCostly, LARGE } from "./cells.ts";
import { JUDGING_SEEDS, takeSeeds } from "./seeds.ts";

const COSTLY_SEEDS = 3;

/**
 * The seeds that a policy runs with in a cell. A run with 10,000 clients takes seconds and varies little, so peers have one seed there; in the costliest cells they do not run at all.
 * A policy that shares nothing between its calls behaves alike in one process and in twenty: it runs once, unless one process is not asked for.
 */
export function seedsOfJudge(
  cell: Cell,
  name: string,
  most: number,
  replicas: readonly number[] = [1],
): readonly number[] {
  if (cell.replicas > 1 && replicas.includes(1) && !sharesHealth(cell, name)) return [];
  const isPeer = name !== "default";
  if (isCostly(cell)) return isPeer ? [] : takeSeeds(JUDGING_SEEDS, Math.min(most, COSTLY_SEEDS));
  return takeSeeds(JUDGING_SEEDS, isPeer && cell.clients >= LARGE ? 1 : most);
}

function sharesHealth({ scenario }: Cell, name: string): boolean {
  const entrant = labEntrant(name);
  if (entrant === undefined || scenarioOf(scenario).hasFallback) return true;
  const { policy, newHealth } = entrant;
  return newHealth !== undefined || policy.breaker !== null || policy.budget !== null;
}
