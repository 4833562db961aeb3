/**
 * Runs real coding agents against a failing provider: directly, or through a gateway whose upstream is the simulator.
 *
 *   npx tsx test/agents/try-agents.ts [--only claude,codex] [--situations down,cut | all]
 *     [--through http://127.0.0.1:8787 --port 4010] [--save direct.json] [--limit 90] [--record]
 *
 * `--through` starts the simulator on `--port`, which the gateway has to use as its upstream. `--record` writes the requests
 * of a calm run to requests/. The agents are installed below this folder when they are missing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { AGENTS, type Agent, type BaseUrls, FOLDER, versionOf } from "./agents.ts";
import { errorText, judgeOutput } from "./judge-output.ts";
import { startRecorder } from "./record-requests.ts";
import { resultsTable, type TrialResult } from "./results-table.ts";
import { runAgent } from "./run-agent.ts";
import { ANSWER, DETAILS, SITUATIONS, type Situation } from "./situations.ts";

const { values: options } = parseArgs({
  options: {
    through: { type: "string" },
    port: { type: "string", default: "4010" },
    only: { type: "string" },
    situations: { type: "string" },
    save: { type: "string" },
    limit: { type: "string", default: "90" },
    record: { type: "boolean", default: false },
  },
});
const { through } = options;
const limitMs = Number(options.limit) * 1000;
/** A gateway has one upstream, so one run at a time. */
const lanes = through === undefined ? 2 : 1;

installIfMissing();
const agents = chosen(AGENTS, options.only);
if (options.record) for (const agent of agents) await record(agent);
else await tryAll();

function installIfMissing(): void {
  if (AGENTS.every(({ packageName }) => existsSync(join(FOLDER, "node_modules", packageName)))) return;
  say("Installing the agents …");
  execFileSync("npm", ["install"], { cwd: FOLDER, stdio: "inherit" });
}

async function tryAll(): Promise<void> {
  const all = [...SITUATIONS, ...DETAILS];
  const situations = options.situations === undefined ? SITUATIONS : chosen(all, options.situations);
  const waiting = [...agents];
  const results: TrialResult[] = [];
  const work = async (): Promise<void> => {
    for (let agent = waiting.shift(); agent !== undefined; agent = waiting.shift()) {
      for (const situation of situations) {
        const result = await trial(agent, situation);
        say(`${agent.name}, ${situation.title}: ${JSON.stringify(result)}`);
        results.push(result);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  if (options.save !== undefined) save(options.save, results);
  say(resultsTable(results, situations));
}

async function trial(agent: Agent, { name, behaviours }: Situation): Promise<TrialResult> {
  const sim = await startSimulator({
    port: through === undefined ? 0 : Number(options.port),
    scenario: { models: { [agent.model]: behaviours, "*": [{ do: "ok", text: "A side call." }] } },
  });
  try {
    const { exitCode, stdout, stderr, ms } = await runAgent(agent, urlsAt(through ?? sim.url), limitMs);
    const seen = judgeOutput(stdout);
    const main = sim.requests.filter(({ model }) => model === agent.model);
    const times = main.map(({ atMs }) => atMs);
    return {
      agent: agent.name,
      version: versionOf(agent),
      situation: name,
      exitCode,
      seen,
      ...(exitCode !== 0 && { error: errorText(stdout.replace(ANSWER, ""), stderr) }),
      calls: main.length,
      otherCalls: sim.requests.length - main.length,
      /** How long after the one before each call came, in seconds. */
      gaps: times.slice(1).map((atMs, n) => inSeconds(atMs - (times[n] ?? atMs))),
      seconds: inSeconds(ms),
    };
  } finally {
    await sim.close();
  }
}

async function record(agent: Agent): Promise<void> {
  const sim = await startSimulator({ scenario: { models: { "*": [{ do: "ok", text: ANSWER }] } } });
  const recorder = await startRecorder(sim.url);
  try {
    const { exitCode } = await runAgent(agent, urlsAt(recorder.url), limitMs);
    const { name, wire, packageName } = agent;
    mkdirSync(join(FOLDER, "requests"), { recursive: true });
    const recorded = { agent: name, packageName, version: versionOf(agent), wire, requests: recorder.requests };
    writeJson(join(FOLDER, "requests", `${name}.json`), recorded);
    say(`${name}: exit code ${exitCode}, ${recorder.requests.length} requests`);
  } finally {
    await recorder.close();
    await sim.close();
  }
}

/** The paths are the providers' own, behind the gateway too. */
function urlsAt(origin: string): BaseUrls {
  const base = origin.replace(/\/$/, "");
  return { anthropic: base, openai: `${base}/v1`, gemini: base };
}

/** Replaces the results of the same agent and situation, and keeps the others. */
function save(file: string, results: readonly TrialResult[]): void {
  const path = join(FOLDER, file);
  const idOf = ({ agent, situation }: TrialResult): string => `${agent} ${situation}`;
  const earlier = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly TrialResult[]) : [];
  const byId = new Map([...earlier, ...results].map((result) => [idOf(result), result]));
  const order = AGENTS.flatMap(({ name }) => [...SITUATIONS, ...DETAILS].map((one) => `${name} ${one.name}`));
  const kept = order.flatMap((id) => byId.get(id) ?? []);
  writeJson(path, kept);
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value, null, 2));
  execFileSync("npx", ["biome", "format", "--write", path], { stdio: "ignore" });
}

function chosen<T extends { readonly name: string }>(all: readonly T[], names: string | undefined): readonly T[] {
  if (names === undefined || names === "all") return all;
  return names.split(",").map((name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) throw new Error(`Unknown: ${name}. Known: ${all.map((one) => one.name).join(", ")}`);
    return found;
  });
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
