import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import type { OpenApi } from "../../src/hosts/serve/api/openapi.ts";
import { buildServer } from "../../src/hosts/serve/build-server.ts";
import { LIMITS, type Limits } from "../../src/hosts/serve/listener/limits.ts";
import { type Regenerated, regenerated } from "./regenerated.ts";

const PATH = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));

/** docs/openapi.json as the server itself has it, and docs/server.md with its tables made anew. */
export async function serverDocuments(): Promise<readonly Regenerated[]> {
  const api = await servedApi();
  const shouldBe = `${JSON.stringify(api, null, 2)}\n`;
  const is = readText();
  return [
    { is, shouldBe, write: () => writeFileSync(PATH, shouldBe) },
    regenerated("server.md", { api: apiTable(api), limits: limitsTable() }),
  ];
}

function readText(): string {
  try {
    return readFileSync(PATH, "utf8");
  } catch {
    return "";
  }
}

async function servedApi(): Promise<OpenApi> {
  const home = mkdtempSync(join(tmpdir(), "secondwind-docs-"));
  const server = await buildServer({
    ...{ env: { HOME: home }, version: manifest.version, storePath: ":memory:" },
    ...{ host: "127.0.0.1", port: 0, orNext: false },
  });
  try {
    return (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApi;
  } finally {
    await server.stop(0);
    rmSync(home, { recursive: true, force: true });
  }
}

function apiTable({ paths }: OpenApi): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { summary, responses } = operation as { summary: string; responses: { 200: { description: string } } };
      return [`\`${method.toUpperCase()} ${path}\``, summary, responses[200].description];
    }),
  );
  return table([["request", "what it does", "answer"], ...rows]);
}

const KB = 1024;
const bytes = (n: number): string => (n >= KB * KB ? `${n / KB / KB} MB` : `${n / KB} KB`);
const seconds = (ms: number): string => `${ms / 1000} s`;
const count = (n: number): string => n.toLocaleString("en");

const SAID: Readonly<Record<keyof Limits, readonly [what: string, say: (n: number) => string, beyond: string]>> = {
  headerBytes: ["request line and headers", bytes, "431"],
  bodyBytes: ["body of a request, if its path allows no more", bytes, "413"],
  headersMs: ["time until the headers have arrived", seconds, "408"],
  requestMs: ["time until the whole request has arrived", seconds, "408"],
  idleMs: ["connection without a request", seconds, "closed"],
  connections: ["open connections", count, "closed at once"],
  turns: ["turns under way", count, "429"],
  sockets: ["open WebSockets", count, "503"],
  frameBytes: ["one frame of a WebSocket", bytes, "closed with 1009"],
  framesPer10s: ["frames of one WebSocket in 10 s", count, "closed with 1008"],
  pingMs: ["time to answer a ping", seconds, "closed"],
  sessions: ["browsers that are logged in", count, "the oldest is logged out"],
  wrongKeys: ["requests with a wrong access key that wait for their answer", count, "429"],
};

function limitsTable(): string {
  const names = Object.keys(LIMITS) as (keyof Limits)[];
  const rows = names.map((name) => {
    const [what, say, beyond] = SAID[name];
    return [what, say(LIMITS[name]), beyond];
  });
  return table([["limit", "value", "beyond it"], ...rows]);
}

/** With columns as wide as their longest cell, as formatters leave them. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  const [first = [], ...others] = cells;
  return [line(first), rule, ...others.map(line)].join("\n");
}
