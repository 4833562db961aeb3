import type { ChildProcess } from "node:child_process";
import type { Jobs, OpenJobsOptions } from "../../src/jobs/index.ts";
import { type CliStart, startCli } from "../support/run-cli.ts";
import { killed, type WorkerSettings } from "./workers.ts";

/** Where jobs are kept in a test. */
export interface StormPlace {
  /** As the worker child takes it. */
  readonly address: string;
  readonly options: OpenJobsOptions;
  /** The environment in which `secondwind serve` uses this place. */
  readonly env: Readonly<Record<string, string>>;
  /** Kills the store's own process and starts it again. Absent: it has none. */
  readonly restart?: () => Promise<void>;
  remove(): Promise<void>;
}

interface Storm {
  readonly place: StormPlace;
  readonly jobs: Jobs;
  readonly startWorker: (settings: WorkerSettings) => Promise<ChildProcess>;
  readonly home: string;
  readonly count: number;
  readonly kills: number;
}

export interface StormFigures {
  readonly jobs: number;
  readonly kills: number;
  readonly killsOf: Readonly<Record<string, number>>;
  /** Accepted by the server and not known any more. */
  readonly lost: number;
  readonly notDone: number;
  /** Jobs whose committed result was replaced by another. */
  readonly changed: number;
  readonly attempts: number;
  readonly seconds: number;
}

const WORKERS = 3;
const POLICY = { schedules: { general: { type: "fixed", delayMs: 1000 } } };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Submits jobs over HTTP while workers, the server and the store are killed, and looks at every result twice. */
export async function runStorm({ place, jobs, startWorker, home, count, kills }: Storm): Promise<StormFigures> {
  const startedAt = performance.now();
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker({ place: place.address })));
  const server = new ServerProcess(home, place.env);
  await server.start();
  const ids = new Map<string, string>();
  const results = new Map<string, string>();
  const submitting = submitAll(server, count, ids);
  const killsOf: Record<string, number> = { worker: 0, server: 0, store: 0 };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await noteResults(jobs, results).catch(() => undefined);
      await pause(100);
    }
  })();
  for (let kill = 0; kill < kills; kill++) {
    await pause(50 + Math.random() * 400);
    const luck = Math.random();
    if (luck < 0.15) {
      killsOf.server = (killsOf.server ?? 0) + 1;
      await server.restart();
    } else if (luck < 0.3 && place.restart !== undefined) {
      killsOf.store = (killsOf.store ?? 0) + 1;
      await place.restart();
    } else {
      killsOf.worker = (killsOf.worker ?? 0) + 1;
      const at = Math.floor(Math.random() * WORKERS);
      await killed(workers[at] as ChildProcess);
      workers[at] = await startWorker({ place: place.address });
    }
  }
  await submitting;
  const all = [...ids.values()];
  const deadline = Date.now() + 300_000;
  for (;;) {
    const { accepted, running, waiting } = await jobs.counts();
    if (accepted + running + waiting === 0 || Date.now() > deadline) break;
    await pause(200);
  }
  isOver = true;
  await looking;
  await server.stop();
  const figures = { lost: 0, notDone: 0, changed: 0, attempts: 0 };
  for (const id of all) {
    const job = await jobs.get(id);
    if (job === undefined) figures.lost++;
    else if (job.state !== "done") figures.notDone++;
    figures.attempts += job?.attempts ?? 0;
    const result = JSON.stringify(await jobs.result(id));
    if (results.has(id) && results.get(id) !== result) figures.changed++;
  }
  if (new Set(all).size !== count) figures.lost += count - new Set(all).size;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { jobs: count, kills, killsOf, ...figures, seconds };
}

/** What was committed first is remembered: nothing may replace it. */
async function noteResults(jobs: Jobs, results: Map<string, string>): Promise<void> {
  for (let after: string | undefined; ; ) {
    const page = await jobs.list({ states: ["done"], limit: 1000, ...(after !== undefined && { after }) });
    for (const { id } of page.jobs) {
      if (!results.has(id)) results.set(id, JSON.stringify(await jobs.result(id)));
    }
    if (page.next === undefined) return;
    after = page.next;
  }
}

/** Each job has a key, so that asking again after a lost answer makes no second job. */
async function submitAll(server: ServerProcess, count: number, ids: Map<string, string>): Promise<void> {
  const keys = Array.from({ length: count }, (_, n) => `storm ${n}`);
  const one = async (): Promise<void> => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      for (let id: string | undefined; id === undefined; ) {
        id = await server.submit(key);
        if (id === undefined) await pause(50);
        else ids.set(key, id);
      }
      await pause(20);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
}

class ServerProcess {
  readonly #home: string;
  readonly #env: Readonly<Record<string, string>>;
  #started: CliStart | undefined;
  #url = "";

  constructor(home: string, env: Readonly<Record<string, string>>) {
    this.#home = home;
    this.#env = env;
  }

  async start(): Promise<void> {
    const args = ["serve", "--port", "0", "--no-open", "--jobs", "0", "--quiet"];
    this.#started = startCli(args, { HOME: this.#home, ...this.#env });
    const out = await Promise.race([
      this.#started.said("Press Ctrl-C to stop."),
      this.#started.end.then(({ err }) => err),
    ]);
    this.#url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? "";
    if (this.#url === "") throw new Error(`The server did not start: ${out}`);
  }

  async stop(): Promise<void> {
    if (this.#started !== undefined) await killed(this.#started.child);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Undefined: no answer, or not accepted now. */
  async submit(key: string): Promise<string | undefined> {
    try {
      const response = await fetch(`${this.#url}/jobs`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({
          model: "weather/any",
          messages: [{ role: "user", content: "storm" }],
          policy: POLICY,
        }),
        signal: AbortSignal.timeout(15_000),
      });
      if (response.status !== 202) return undefined;
      return ((await response.json()) as { readonly id: string }).id;
    } catch {
      return undefined;
    }
  }
}
