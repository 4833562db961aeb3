import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAssembly } from "../../src/assembly/index.ts";
import { type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { openStore } from "../../src/store/index.ts";
import { ofType, startRpcChild } from "../hosts/rpc/rpc-child.ts";
import { bundledChild } from "../support/bundled-child.ts";
import { findSecret } from "./find-secret.ts";

const PROGRAM = bundledChild(join(import.meta.dirname, "../hosts/rpc/real-entry.ts"));
/** With characters in them that base64, URLs and JSON write in ways of their own. */
const CANARIES = {
  ANTHROPIC_API_KEY: 'sk-ant-canary+A1/b2=c3&d4%e5?f6"g7',
  OPENAI_API_KEY: "sk-proj-canary_Z9-y8.x7~w6!v5'u4(t3)*",
  GEMINI_API_KEY: "AIzaSyCanary-0123456789_abcdefghijKLMN",
};
const PROVIDERS = ["anthropic", "openai", "google"];
const MODELS = PROVIDERS.flatMap((name) => ["leak", "leak-answer", "ok"].map((model) => `${name}/${model}`));

let home: string;
let sim: Simulator;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-secrets-"));
  sim = await startSimulator({ timeScale: 0.01, tokenMs: 0 });
});
afterAll(async () => {
  await sim.close();
  await rm(home, { recursive: true, force: true });
});

/** Every byte below the folder that keeps things: database, log and shared memory alike. */
async function filesOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => [name, (await readFile(join(folder, name))).toString("latin1")] as const),
  );
}

function expectClean(where: string, text: string): void {
  const found = Object.values(CANARIES).flatMap((secret) => findSecret(text, secret));
  expect([where, ...found]).toEqual([where]);
}

describe("secrets", () => {
  test("S7, S9: a key that a provider repeats in errors and answers appears in no line, log or file", async () => {
    const data = join(home, "data");
    const work = join(home, "work");
    await mkdir(work);
    await writeFile(join(work, "env.txt"), `KEY=${CANARIES.OPENAI_API_KEY}\n`);
    const store = await openStore({ path: join(data, "secondwind.db") });
    await store.config.set("retry.baseDelayMs", 5);
    await store.close();
    const env = {
      ...{ HOME: home, SECONDWIND_HOME: data, ...CANARIES, ANTHROPIC_BASE_URL: sim.urls.anthropic },
      ...{ OPENAI_BASE_URL: sim.urls.openai, GOOGLE_GEMINI_BASE_URL: sim.urls.gemini },
    };
    const rpc = startRpcChild([PROGRAM, "--model", "anthropic/leak"], env, work);
    for (const [place, model] of MODELS.entries()) {
      const message = `Is ${CANARIES.ANTHROPIC_API_KEY} mine? If so, read {"path":"env.txt"}`;
      rpc.send({ type: "set_model", model }, { type: "prompt", message });
      await rpc.until(() => rpc.lines.filter(ofType("agent_end")).length > place);
    }
    rpc.send({ id: "m", type: "get_messages" }, { id: "c", type: "set_model", model: `no/${CANARIES.OPENAI_API_KEY}` });
    rpc.send(`{"type":"${CANARIES.GEMINI_API_KEY}"}`, `not JSON ${CANARIES.OPENAI_API_KEY}`);
    await rpc.until(({ command }) => command === "parse");
    // Before it is closed: now the log and the shared memory lie beside it.
    const files = await filesOf(data);
    expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(["secondwind.db", "secondwind.db-wal"]));
    rpc.child.stdin.end();
    expect(await rpc.ended).toBe(0);

    // The simulator did tell them, and what was said instead has their names.
    expect(rpc.lines.filter(ofType("agent_end")).map(({ status }) => status)).toEqual(
      MODELS.map((model) => (model.endsWith("/leak") ? "error" : "done")),
    );
    expect(rpc.lines.filter(ofType("auto_retry_start"))).toHaveLength(9);
    for (const id of ["anthropic#env1", "openai#env1", "google#env1"]) expect(rpc.out()).toContain(`[key ${id}]`);

    // What a person or a file told us is not told to a provider, not even its own key.
    expect(rpc.out()).toContain("KEY=[key openai#env1]");
    for (const { body } of sim.requests) expectClean("request", JSON.stringify(body));

    expectClean("stdout", rpc.out());
    expectClean("stderr", rpc.err());
    for (const [name, bytes] of [...files, ...(await filesOf(data))]) expectClean(name, bytes);
  });

  test("E19: a fault that is reported has no key in it, nor has its cause", async () => {
    const env = { HOME: home, ANTHROPIC_API_KEY: CANARIES.ANTHROPIC_API_KEY };
    const assembly = await openAssembly({ env, storePath: ":memory:" });
    const heard: string[] = [];
    const hear = ({ message, stack, ...rest }: Error): void =>
      void heard.push([message, stack, JSON.stringify(rest)].join("\n"));
    process.on("warning", hear);
    const cause = new Error(`x-api-key: ${CANARIES.ANTHROPIC_API_KEY}`);
    assembly.ports.reportFault(new Error(`Refused: ${CANARIES.ANTHROPIC_API_KEY}`, { cause }), "journal");
    await expect.poll(() => heard.length).toBe(1);
    process.off("warning", hear);
    expect(heard[0]).toContain("[key anthropic#env1]");
    expectClean("warning", heard.join());
    await assembly.close();
  });

  test("S9: a session that fails to open reports the reason without the key", async () => {
    const rpc = startRpcChild([PROGRAM, "--model", `no/${CANARIES.OPENAI_API_KEY}`], { HOME: home, ...CANARIES });
    expect(await rpc.ended).toBe(1);
    expect(rpc.err()).toContain("known provider");
    expectClean("stderr", rpc.err());
  });
});
