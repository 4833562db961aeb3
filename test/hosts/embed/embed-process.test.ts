import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useSimulator } from "../../simulator/http/support.ts";
import { CLI, runCli, startCli } from "../../support/run-cli.ts";

const run = promisify(execFile);
const world = useSimulator();
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-embed-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const parsed = (out: string): { id: unknown; embedding?: number[]; error?: string }[] =>
  out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

describe("secondwind embed", () => {
  test("C6: embeds lines from stdin without a key, with the simulated model", async () => {
    const { code, out, err } = await runCli(["embed"], '"one"\n{"id":"b","text":"two"}\n"one"');
    expect(code).toBe(0);
    expect(err).toBe("");
    const lines = parsed(out);
    expect(lines.map(({ id }) => id)).toEqual([1, "b", 3]);
    expect(lines[0]?.embedding).toHaveLength(64);
    expect(lines[0]?.embedding).toEqual(lines[2]?.embedding);
  });

  test.each([
    ["openai", "OPENAI_BASE_URL", "OPENAI_API_KEY", () => world.sim.urls.aiSdk.openai],
    ["google", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", () => world.sim.urls.aiSdk.google],
  ])(
    "C6: embeds with %s, through failures",
    async (name, address, key, url) => {
      const env = { [address]: url(), [key]: "sk-0123456789abcdef" };
      const { code, out } = await runCli(["embed", "-m", `${name}/bad-gateway@1`], '"one"\n', env);
      expect([code, parsed(out).map(({ id }) => id)]).toEqual([0, [1]]);
    },
    60_000,
  );

  test("C6: a provider without embeddings, an unknown one and a bad number are invalid usage", async () => {
    const anthropic = await runCli(["embed", "-m", "anthropic/claude-sonnet-5-5"], '"one"\n');
    expect(anthropic.code).toBe(2);
    expect(anthropic.err).toMatch(
      /^secondwind: --model must be of a provider that has embeddings \(openai, google, .*sim\); got "anth/,
    );
    expect((await runCli(["embed", "-m", "nope/x"])).err).toContain("--model must be of a known provider");
    expect((await runCli(["embed", "--batch", "0"])).err).toContain("--batch must be a whole number from 1 to 100");
    expect((await runCli(["embed", "nowhere.jsonl"])).err).toContain("FILE must be a file that can be read (ENOENT)");
    expect((await runCli(["embed", "--resume", "nowhere"])).err).toContain("--resume must be a file that can be read");
  });

  test("C6: a bad line has an error line and the exit code 1; a rejected key stops with a reason", async () => {
    const bad = await runCli(["embed"], 'plain text\n"two"\n');
    expect(bad.code).toBe(1);
    expect(parsed(bad.out).find(({ id }) => id === 1)?.error).toMatch(/^line 1: the line must be a JSON string/);
    expect(bad.err).toBe("Done: 1 line embedded, 1 failed.\n");
    const stopped = await runCli(["embed", "-m", "sim/unauthorized"], '"one"\n');
    expect(stopped).toMatchObject({ code: 1, out: "" });
    expect(stopped.err).toMatch(/^Stopped: 0 lines embedded, 0 failed\. 401 Unauthorized: /);
  });

  test("C6: --resume skips what an output has, repairs its last line, and redoes failed lines", async () => {
    const input = join(home, "in.jsonl");
    const output = join(home, "out.jsonl");
    await writeFile(input, '"one"\n"two"\n"three"\n"four"\n');
    await writeFile(output, '{"id":1,"embedding":[1]}\n{"id":2,"error":"503"}\n{"id":3,"embed');
    await run("sh", ["-c", `'${process.execPath}' '${CLI}' embed --resume '${output}' '${input}' >> '${output}'`]);
    const lines = (await readFile(output, "utf8")).split("\n").filter((line) => line !== "");
    expect(lines.slice(0, 3)).toEqual(['{"id":1,"embedding":[1]}', '{"id":2,"error":"503"}', '{"id":3,"embed']);
    expect(lines.slice(3).map((line) => JSON.parse(line).id)).toEqual([2, 3, 4]);
  });

  test("C6: Ctrl-C leaves whole lines, says how many are done, and exits with 130", async () => {
    const { child, end, said } = startCli(["embed", "-m", "sim/ok"]);
    child.stdin.write('"one"\n"two"\n');
    await said('"id":2');
    child.kill("SIGINT");
    const { code, out, err } = await end;
    expect(code).toBe(130);
    expect(parsed(out)).toHaveLength(2);
    expect(err).toBe("Cancelled: 2 lines embedded, 0 failed. Resume with --resume FILE.\n");
  });

  test("C6: Ctrl-C during a wait ends it at once", async () => {
    const { child, end } = startCli(["embed", "-m", "sim/down"]);
    child.stdin.write('"one"\n');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const startMs = performance.now();
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, out: "" });
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  test("C6: waits for a slow reader without a warning, however many requests are at work", async () => {
    await writeFile(
      join(home, "slow.jsonl"),
      Array.from({ length: 3000 }, (_, n) => JSON.stringify(`text ${n}`)).join("\n"),
    );
    const command = `'${process.execPath}' '${CLI}' embed -n 32 -b 20 '${join(home, "slow.jsonl")}' | { sleep 2; wc -l; }`;
    const { stdout, stderr } = await run("sh", ["-c", command]);
    expect([stdout.trim(), stderr]).toEqual(["3000", ""]);
  }, 60_000);

  test("C6: exits with 141 when the reader closes the pipe", async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => JSON.stringify(`text ${n}`)).join("\n");
    await writeFile(join(home, "many.jsonl"), lines);
    const command = `{ '${process.execPath}' '${CLI}' embed '${join(home, "many.jsonl")}'; echo "left with $?" >&2; } | head -1`;
    const { stdout, stderr } = await run("sh", ["-c", command]);
    expect(stdout.split("\n").filter((line) => line !== "")).toHaveLength(1);
    expect(stderr).toBe("left with 141\n");
  }, 60_000);
});
