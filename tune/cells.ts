import { SCENARIO_NAMES, type ScenarioName } from "../src/simulator/lab/index.ts";

/** One place of the table: an outage at one size. */
export interface Cell {
  readonly scenario: ScenarioName;
  readonly clients: number;
  readonly replicas: number;
}

export const SIZES: readonly number[] = [1, 5, 50, 1000, 10_000];
export const REPLICAS: readonly number[] = [1, 20];

export interface CellChoice {
  readonly scenarios?: readonly ScenarioName[];
  readonly clients?: readonly number[];
  readonly replicas?: readonly number[];
}

/** Every scenario at every size. With fewer clients than replicas most replicas would have none: such cells are left out. */
export function cellsOf({
  scenarios = SCENARIO_NAMES,
  clients = SIZES,
  replicas = REPLICAS,
}: CellChoice): readonly Cell[] {
  return scenarios.flatMap((scenario) =>
    clients.flatMap((count) =>
      replicas.filter((each) => each <= count).map((each) => ({ scenario, clients: count, replicas: each })),
    ),
  );
}

/** Twenty minutes with 10,000 clients take half a minute of work and more, and show nothing that 1,000 do not. */
export function isCostly({ scenario, clients }: Cell): boolean {
  return scenario === "long-outage" && clients >= LARGE;
}

export const LARGE = 10_000;

export function keyOf({ scenario, clients, replicas }: Cell): string {
  return `${scenario} ${clients}/${replicas}`;
}
