import { openJobsOf } from "../../assembly/job-parts.ts";
import { JOB_STATES, type Jobs } from "../../jobs/index.ts";
import { checkOneOf } from "../../kernel/index.ts";
import { loadVault } from "../../providers/load-vault.ts";
import { readEndpoints } from "../../providers/read-endpoints.ts";
import { openTerminal, type Terminal } from "../../terminal/index.ts";
import { parseNumber } from "../../terminal/parse-number.ts";
import { countsLine, jobLine, jobPage } from "./render-jobs.ts";

const OK = 0;
const FAILED = 1;

interface ListOptions {
  readonly state?: string;
  readonly group?: string;
  readonly limit?: string;
  readonly json?: boolean;
  readonly isPoison?: boolean;
}

/** `secondwind jobs list` and `poison`. Returns the exit code. */
export async function listCommand({ state, group, limit = "20", json, isPoison }: ListOptions): Promise<number> {
  const count = parseNumber("--limit", limit, { min: 1, max: 1000, integer: true });
  const states = state === undefined ? undefined : [checkOneOf("--state", state, JOB_STATES)];
  return withJobs(async (jobs, { write, colours, columns }) => {
    const { jobs: found, next } = await jobs.list({
      limit: count,
      ...(states !== undefined && { states }),
      ...(group !== undefined && { group }),
      ...(isPoison !== undefined && { isPoison }),
    });
    if (json === true) {
      for (const job of found) write(`${JSON.stringify(job)}\n`);
      return OK;
    }
    for (const job of found) write(`${jobLine(job, Date.now(), columns, colours)}\n`);
    if (next !== undefined) write(`… and more: --limit ${Math.min(1000, count * 5)}\n`);
    write(`${found.length === 0 ? "No such jobs. " : ""}${countsLine(await jobs.counts(), Date.now())}\n`);
    return OK;
  });
}

/** `secondwind jobs show`. */
export async function showCommand(id: string, { json }: { readonly json?: boolean }): Promise<number> {
  return withJobs(async (jobs, { write, colours }) => {
    const job = await jobs.get(id);
    if (job === undefined) return unknown(id);
    const result = await jobs.result(id);
    if (json === true) write(`${JSON.stringify({ ...job, request: await jobs.request(id), result }, null, 2)}\n`);
    else write(`${jobPage(job, result, Date.now(), colours)}\n`);
    return OK;
  });
}

/** `secondwind jobs cancel` and `retry`: each job is one line, and one that can't be changed does not stop the others. */
export async function changeCommand(what: "cancel" | "retryNow", ids: readonly string[]): Promise<number> {
  return withJobs(async (jobs, { write }) => {
    let code = OK;
    for (const id of ids) {
      if (await jobs[what](id)) {
        write(`${id}: ${what === "cancel" ? "cancelled" : "is tried again"}\n`);
        continue;
      }
      const job = await jobs.get(id);
      code = job === undefined ? unknown(id) : notChanged(id, job.state);
    }
    return code;
  });
}

function unknown(id: string): number {
  process.stderr.write(`secondwind: unknown job: ${JSON.stringify(id)}. See secondwind jobs list.\n`);
  return FAILED;
}

function notChanged(id: string, state: string): number {
  process.stderr.write(`secondwind: the job ${id} is ${state}\n`);
  return FAILED;
}

async function withJobs(use: (jobs: Jobs, terminal: Terminal) => Promise<number>): Promise<number> {
  const { env, stdout } = process;
  const { redact } = loadVault(readEndpoints(env), env);
  const jobs = await openJobsOf({ redact }, env);
  try {
    return await use(jobs, openTerminal(stdout, env));
  } finally {
    await jobs.close();
  }
}
