/**
 * Runs the coding agents with the set-ups of docs/gateway.md, word by word, against a gateway whose provider refuses the first request of each
 * model: `npx tsx test/agents/try-set-ups.ts`. Port 4747 must be free, because the set-ups name it.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createGateway } from "../../src/gateway/index.ts";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { AGENTS, type Agent, KEY, type Launch } from "./agents.ts";
import { judgeOutput } from "./judge-output.ts";
import { runAgent } from "./run-agent.ts";
import { ANSWER } from "./situations.ts";

const LIMIT_MS = 90_000;
const NOWHERE = { anthropic: "", openai: "", gemini: "" };
const document = readFileSync(fileURLToPath(new URL("../../docs/gateway.md", import.meta.url)), "utf8");

/** The first block of code under a heading. */
function blockOf(heading: string): string {
  const from = document.indexOf(`\n### ${heading}\n`);
  const [, text] = /```[a-z]*\n([\s\S]*?)```/.exec(document.slice(from)) ?? [];
  if (from === -1 || text === undefined) throw new Error(`docs/gateway.md has no set-up for ${heading}`);
  return text;
}

/** `NAME=value program` sets a variable. */
function variableOf(heading: string): Readonly<Record<string, string>> {
  const [, name = "", value = ""] = /^([A-Z_]+)=(\S+)/.exec(blockOf(heading)) ?? [];
  return { [name]: value };
}

function agentOf(wanted: string): Agent {
  const found = AGENTS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`No agent ${wanted}`);
  return found;
}

const opencode = (model: string, variable: string): [string, string, Partial<Launch>] => [
  `opencode, ${model}`,
  "opencode",
  {
    args: ["run", "-m", model, "Say hello"],
    env: { ...agentOf("opencode").launch(NOWHERE).env, [variable]: KEY },
    files: { ".config/opencode/opencode.json": blockOf("opencode") },
  },
];

const SET_UPS: readonly [string, string, Partial<Launch>][] = [
  ["Claude Code", "claude", { env: { ...agentOf("claude").launch(NOWHERE).env, ...variableOf("Claude Code") } }],
  ["Codex", "codex-provider", { env: { OPENAI_API_KEY: KEY }, files: { ".codex/config.toml": blockOf("Codex") } }],
  opencode("openai/gpt-5-mini", "OPENAI_API_KEY"),
  opencode("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
  opencode("google/gemini-2.5-flash", "GOOGLE_GENERATIVE_AI_API_KEY"),
  ["Gemini CLI", "gemini", { env: { ...agentOf("gemini").launch(NOWHERE).env, ...variableOf("Gemini CLI") } }],
];

const sim = await startSimulator({ scenario: { models: { "*": ["overloaded@1", { do: "ok", text: ANSWER }] } } });
const gateway = createGateway({
  endpoints: {
    openai: { baseURL: `${sim.url}/v1`, format: "openai" },
    anthropic: { baseURL: `${sim.url}/v1`, format: "anthropic" },
    google: { baseURL: `${sim.url}/v1beta`, format: "gemini" },
  },
});
const server = createServer((request, response) => gateway.handle(request, response));
await new Promise<void>((resolve) => server.listen(4747, "127.0.0.1", resolve));
for (const [title, name, changes] of SET_UPS) {
  const agent = agentOf(name);
  const launch = (): Launch => ({ ...agent.launch(NOWHERE), ...changes });
  const { stdout, stderr } = await runAgent({ ...agent, launch }, NOWHERE, LIMIT_MS);
  const seen = judgeOutput(stdout);
  process.stdout.write(`${title}: ${seen}, ${sim.requests.length} calls${seen === "whole" ? "" : `\n${stderr}`}\n`);
  if (seen !== "whole") process.exitCode = 1;
  sim.reset();
}
server.closeAllConnections();
server.close();
await gateway.close();
await sim.close();
