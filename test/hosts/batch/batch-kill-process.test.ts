import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useSimulator } from "../../simulator/http/support.ts";
import { startCli } from "../../support/run-cli.ts";
import { often } from "../../support/soak.ts";

const LINES = often(200, 10_000);
const KILLS = often(3, 20);
const world = useSimulator({ weather: "drizzle" });
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-batch-kill-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The lines of an output. Only the last one may be torn, and only if the run was killed. */
function wholeLines(path: string): readonly { readonly line: number; readonly id: string; readonly text?: string }[] {
  if (!existsSync(path)) return [];
  const pieces = readFileSync(path, "utf8").split("\n");
  return pieces.slice(0, -1).map((piece) => JSON.parse(piece));
}

describe("secondwind batch, killed", () => {
  test(`B6: ${LINES} lines in drizzle and ${KILLS} times kill -9: every line has one answer, and the output is whole at every moment`, async () => {
    const input = join(home, "in.jsonl");
    const output = join(home, "out.jsonl");
    const prompts = Array.from({ length: LINES }, (_, n) =>
      JSON.stringify({ id: `q${n + 1}`, prompt: `Question ${n}` }),
    );
    await writeFile(input, `${prompts.join("\n")}\n`);
    const env = { OPENAI_BASE_URL: world.sim.urls.aiSdk.openai, OPENAI_API_KEY: "sk-0123456789abcdef", HOME: home };
    const args = ["batch", input, "-o", output, "-m", "openai/sonnet"];
    let samples = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const { child, end } = startCli(args, env);
      // Each run does its share of the lines, then it is killed in the middle of its work.
      const share = Math.floor((LINES * kill) / (KILLS + 1));
      let isOver = false;
      void end.then(() => {
        isOver = true;
      });
      for (;;) {
        const lines = wholeLines(output);
        samples++;
        expect(new Set(lines.map(({ line }) => line)).size).toBe(lines.length);
        if (lines.length >= share || isOver) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(isOver).toBe(false);
      child.kill("SIGKILL");
      await end;
    }
    const { code, err } = await startCli(args, env).end;
    expect(err).toContain(
      `Done: ${LINES.toLocaleString("en-US")} of ${LINES.toLocaleString("en-US")} lines answered, 0 failed`,
    );
    expect(code).toBe(0);
    const lines = wholeLines(output);
    expect(lines.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: LINES }, (_, n) => n + 1),
    );
    expect(lines.every(({ id, line, text }) => id === `q${line}` && text !== undefined)).toBe(true);
    expect(readFileSync(output, "utf8").endsWith("\n")).toBe(true);
    expect(samples).toBeGreaterThan(KILLS);
    expect(existsSync(`${output}.lock`)).toBe(false);
  }, 1_200_000);
});
