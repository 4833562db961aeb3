import type { Policy } from "../../../kernel/index.ts";
import type { ScenarioName } from "../../../simulator/lab/index.ts";
import type { LabLine } from "../../../wire/http/server.ts";

/** A run of the lab as its worker gets it: plain data. */
export interface LabJob {
  readonly scenario: ScenarioName;
  /** An own policy whole; a preset or a peer by its name, because a peer is more than data. */
  readonly policies: readonly (string | Policy)[];
  readonly clients: number;
  readonly runs: number;
}

/** Runs a job until its last line, `done` or `error`. Returns a function that ends it early, after which no line comes. */
export type StartLab = (job: LabJob, onLine: (line: LabLine) => void) => () => void;
