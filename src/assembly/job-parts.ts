import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyFilePath } from "../credentials/index.ts";
import { defaultJobsPath, type Jobs, type JobsOptions, openJobs, type RunnerParts } from "../jobs/index.ts";
import type { TargetEntry } from "../kernel/index.ts";
import { parseSelector } from "../wire/selector.ts";
import type { Assembly } from "./open-assembly.ts";
import { WATCHDOG } from "./session-parts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where jobs are kept: in Redis if `REDIS_URL` names one, else in a file beside the store. Nothing is stored with a secret in it. */
export async function openJobsOf(
  { redact }: Pick<Assembly, "redact">,
  env: Environment,
  options: JobsOptions & { readonly path?: string } = {},
): Promise<Jobs> {
  const { path = defaultJobsPath(env), ...rest } = options;
  const redis = env.REDIS_URL;
  const jobs = await openJobs({
    ...rest,
    ...(redis ? { redis, mayForget: env.SECONDWIND_REDIS_MAY_FORGET === "1" } : { path }),
  }).catch((fault: unknown) => {
    throw redact(fault);
  });
  return {
    submit: (request, own) => jobs.submit(redact(request), own),
    submitAll: (entries) => jobs.submitAll(entries.map((entry) => ({ ...entry, request: redact(entry.request) }))),
    get: (id) => jobs.get(id),
    list: (filter) => jobs.list(filter),
    request: (id) => jobs.request(id),
    result: (id) => jobs.result(id),
    cancel: (id) => jobs.cancel(id),
    retryNow: (id) => jobs.retryNow(id),
    watch: (id, own) => jobs.watch(id, own),
    onChange: (listener) => jobs.onChange(listener),
    counts: () => jobs.counts(),
    check: () => jobs.check(),
    work: (run, own) => jobs.work(run, own),
    close: () => jobs.close(),
  };
}

/** What a worker of this process runs jobs with. */
export function runnerParts(assembly: Assembly, env: Environment): RunnerParts {
  const { providers, health, ports, redact } = assembly;
  const aliases = new Aliases(join(dirname(keyFilePath(env)), "gateway.json"));
  return {
    ...{ health, ports, redact, watchdog: WATCHDOG },
    providerOf: (name) => providers.get(name)?.provider,
    targetsFor: ({ model, fallbacks = [] }) =>
      [model, ...fallbacks].flatMap((name) => aliases.modelsOf(name)).map((name) => targetOf(name, providers)),
  };
}

function targetOf(name: string, providers: Assembly["providers"]): TargetEntry {
  const selector = parseSelector(name);
  if (selector === undefined) throw new Error(`Unknown model: ${name}. Name it as provider/model, or as an alias.`);
  const known = providers.get(selector.provider);
  if (known === undefined) throw new Error(`Unknown provider: ${selector.provider}`);
  return { ...selector, credentials: known.credentials };
}

/** How long what was read of the file counts. */
const FRESH_MS = 1000;

/** The aliases of the gateway's file, which may be edited meanwhile. The gateway reports what is wrong with it. */
class Aliases {
  readonly #path: string;
  #aliases: Readonly<Record<string, unknown>> = {};
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
  }

  /** The models that a name stands for; itself if it is no alias. */
  modelsOf(name: string): readonly string[] {
    if (performance.now() - this.#readAtMs > FRESH_MS) this.#read();
    if (!Object.hasOwn(this.#aliases, name)) return [name];
    const alias = this.#aliases[name];
    const models: unknown = Array.isArray(alias) ? alias : (alias as { readonly models?: unknown } | null)?.models;
    if (Array.isArray(models) && models.every((model) => typeof model === "string")) return models;
    throw new Error(`The alias ${name} in ${this.#path} names no models`);
  }

  #read(): void {
    this.#readAtMs = performance.now();
    try {
      const { aliases } = JSON.parse(readFileSync(this.#path, "utf8")) as { readonly aliases?: object };
      this.#aliases = { ...aliases };
    } catch {
      this.#aliases = {};
    }
  }
}
