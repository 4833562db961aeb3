import type { PolicyInput } from "../../src/index.ts";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { expectedWords, type FaultCase } from "./fault-case.ts";
import { FAULT_CASES } from "./fault-cases.ts";
import { CLIENTS, type Client } from "./support/clients.ts";
import { closeGateways, GATEWAY_CLIENTS } from "./support/gateway-client.ts";
import { forgetHosts } from "./support/named-hosts.ts";
import type { Outcome } from "./support/outcome.ts";
import { openPlaces, type Places } from "./support/places.ts";
import { runCell } from "./support/run-cell.ts";
import { nameOf, readWithout } from "./support/without.ts";

export const QUICK: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } } };
/** Where nothing hangs: longer than a busy machine needs for an answer. */
const PATIENT: PolicyInput = { ...QUICK, watchdog: { firstContentMs: 10_000, idleMs: 10_000 } };
/** Where it hangs: three times as long with each chance. */
const impatient = (chance: number): PolicyInput => {
  const limitMs = 300 * 3 ** chance;
  return { ...QUICK, watchdog: { firstContentMs: limitMs, idleMs: limitMs } };
};
/** How long a person waits: longer than the SDKs' own retries take, and where a fault is known to hang, not so long. */
const LIMIT_MS = 30_000;
const QUIET_LIMIT_MS = 1200;
/** Cells at a time: so many that the pauses of one are used by others. The SDKs wait for seconds between their retries. */
const SOME = 24;
const MANY = 96;
/** On a busy machine a socket may be read later than the simulator expects: a cell that differs has these chances more, alone. */
const MORE_CHANCES = 2;

export interface Result {
  readonly fault: FaultCase;
  readonly client: Client;
  readonly isStreaming: boolean;
  readonly expected: string;
  /** Without Secondwind, as the SDK comes: with its own retries. */
  readonly bare: Outcome;
  readonly ours: Outcome;
}

type Job = Pick<Result, "fault" | "client" | "isStreaming">;

export function matrixJobs(): readonly Job[] {
  return FAULT_CASES.flatMap((fault) =>
    [...CLIENTS, ...GATEWAY_CLIENTS]
      .filter(({ format }) => fault.isOfEvents === true || format !== "OpenAI responses")
      .flatMap((client) =>
        (fault.whole === undefined ? [true] : [true, false]).map((isStreaming) => ({ fault, client, isStreaming })),
      ),
  );
}

/** Asks through every client, without Secondwind and with it, for every fault. */
export async function runMatrix(): Promise<readonly Result[]> {
  const sim = await startSimulator({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 });
  const places = await openPlaces(sim);
  try {
    const jobs = matrixJobs();
    const lively = await runAll(
      places,
      jobs.filter(({ fault }) => !isAlone(fault)),
    );
    const alone = await runAll(
      places,
      jobs.filter(({ fault }) => isAlone(fault)),
    );
    return [...lively, ...alone].sort((one, other) => one.fault.fault - other.fault.fault);
  } finally {
    await closeGateways();
    forgetHosts();
    await places.close();
    await sim.close();
  }
}

/** With short limits, work for others would look like silence; headers byte by byte take hundreds of turns; names are looked up with a time limit. */
function isAlone({ isQuiet, fault, place }: FaultCase): boolean {
  return isQuiet === true || fault === 9 || place !== undefined;
}

async function runAll(places: Places, jobs: readonly Job[]): Promise<readonly Result[]> {
  const without = readWithout();
  const [found, ours] = await Promise.all([
    sideBySide(jobs, MANY, (job) => (isThroughGateway(job) ? NOT_RUN : runBare(places, job, without[nameOf(job)]))),
    sideBySide(jobs, SOME, (job) => runOurs(places, job)),
  ]);
  // The SDKs without a gateway are those of the other door.
  const bareOf = (job: Job, place: number): Outcome => {
    const same = ({ client, ...one }: Job): boolean =>
      client.door === "fetch" &&
      client.format === job.client.format &&
      one.fault === job.fault &&
      one.isStreaming === job.isStreaming;
    return found[isThroughGateway(job) ? jobs.findIndex(same) : place] as Outcome;
  };
  return jobs.map((job, place) => ({
    ...job,
    expected: expectedOf(job),
    bare: bareOf(job, place),
    ours: ours[place] as Outcome,
  }));
}

const NOT_RUN: Promise<Outcome> = Promise.resolve({ words: "", isSilentlyWrong: false });

export function isThroughGateway({ client }: Pick<Job, "client">): boolean {
  return client.door === "gateway";
}

async function runBare(places: Places, job: Job, known: string | undefined): Promise<Outcome> {
  const { fault, client, isStreaming } = job;
  for (let chance = 0; ; chance += 1) {
    const limitMs = fault.limitMs ?? (fault.isQuiet === true ? QUIET_LIMIT_MS * 3 ** chance : LIMIT_MS);
    const cell = { fault, limitMs, isStreaming, probe: client.bare, maxRetries: undefined };
    const outcome = await runCell({ ...cell, place: places.at(fault.place) });
    if (outcome.words === known || chance === MORE_CHANCES) return outcome;
  }
}

/** A silently wrong answer has no second chance. */
async function runOurs(places: Places, job: Job): Promise<Outcome> {
  const { fault, client, isStreaming } = job;
  for (let chance = 0; ; chance += 1) {
    const probe = client.ours({ policy: fault.isQuiet === true ? impatient(chance) : PATIENT });
    const cell = { fault, place: places.at(fault.place), limitMs: LIMIT_MS, isStreaming, probe, maxRetries: 0 };
    const outcome = await runCell(cell);
    if (outcome.isSilentlyWrong || outcome.words === expectedOf(job) || chance === MORE_CHANCES) return outcome;
  }
}

function expectedOf({ fault, client, isStreaming }: Job): string {
  return expectedWords(fault, { door: client.door, format: client.format, isStreaming });
}

/** Runs so many at a time; the results in the order of the jobs. */
async function sideBySide(
  jobs: readonly Job[],
  most: number,
  run: (job: Job) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let place = next++; place < jobs.length; place = next++) outcomes[place] = await run(jobs[place] as Job);
  };
  await Promise.all(Array.from({ length: most }, work));
  return outcomes;
}
