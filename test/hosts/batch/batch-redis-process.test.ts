import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useSimulator } from "../../simulator/http/support.ts";
import { RedisServer } from "../../support/redis-server.ts";
import { type CliStart, runCli, startCli } from "../../support/run-cli.ts";
import { often } from "../../support/soak.ts";
import { until } from "../../support/until.ts";

const world = useSimulator();
const LINES = often(60, 2000);
let redis: RedisServer;
let home = "";
beforeAll(async () => {
  redis = await RedisServer.start();
  home = await mkdtemp(join(tmpdir(), "secondwind-batch-redis-"));
}, 30_000);
afterAll(async () => {
  await redis.remove();
  await rm(home, { recursive: true, force: true });
});

const results = (
  output: string,
): readonly { readonly line: number; readonly text?: string; readonly error?: string }[] =>
  !existsSync(output)
    ? []
    : readFileSync(output, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));

describe("secondwind batch with Redis workers", () => {
  test(`B6: ${LINES} lines on two workers, the batch killed twice: every line has one answer`, async () => {
    const input = join(home, "in.jsonl");
    const output = join(home, "out.jsonl");
    await writeFile(input, Array.from({ length: LINES }, (_, n) => `${JSON.stringify(`Question ${n}`)}\n`).join(""));
    const env = {
      ...{ HOME: home, SECONDWIND_HOME: home, REDIS_URL: redis.url },
      ...{ OPENAI_BASE_URL: world.sim.urls.aiSdk.openai, OPENAI_API_KEY: "sk-0123456789abcdef" },
    };
    const workers: readonly CliStart[] = [1, 2].map(() => startCli(["work", "--quiet", "--concurrency", "2"], env));
    try {
      const args = ["batch", input, "-o", output, "-m", "openai/ok", "-n", "5"];
      for (const share of [0.2, 0.5]) {
        const run = startCli(args, env);
        await until(() => results(output).length >= LINES * share, 60_000);
        run.child.kill("SIGKILL");
        await run.end;
      }
      const { code, err } = await runCli(args, "", env);
      expect(err).toContain(`lines answered, 0 failed`);
      expect(code).toBe(0);
      const lines = results(output);
      expect(lines.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: LINES }, (_, n) => n + 1),
      );
      expect(lines.every(({ text }) => text !== undefined)).toBe(true);
      const fixed = join(home, "fixed.jsonl");
      await writeFile(fixed, '{"prompt":"x","temperature":0}\n');
      const unable = await runCli(["batch", fixed, "-o", `${fixed}.out`, "-m", "openai/ok"], "", env);
      expect(unable.code).toBe(1);
      expect(results(`${fixed}.out`)[0]?.error).toBe("line 1: temperature is not supported with Redis workers");
    } finally {
      for (const { child } of workers) child.kill("SIGKILL");
      await Promise.all(workers.map(({ end }) => end));
    }
  }, 300_000);
});
