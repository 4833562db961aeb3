import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useSimulator } from "../../simulator/http/support.ts";
import { runCli, startCli } from "../../support/run-cli.ts";
import { often } from "../../support/soak.ts";
import { until } from "../../support/until.ts";
import { startLimitedEndpoint } from "./limited-endpoint.ts";

const world = useSimulator();
let home = "";
let input = "";
let output = "";
let runs = 0;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-batch-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));
beforeEach(() => {
  input = join(home, `in-${++runs}.jsonl`);
  output = join(home, `out-${runs}.jsonl`);
});

interface Result {
  readonly id: unknown;
  readonly line: number;
  readonly text?: string;
  readonly error?: string;
  readonly kind?: string;
}

const results = (): readonly Result[] =>
  readFileSync(output, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
const env = (): Record<string, string> => ({
  ...{ OPENAI_BASE_URL: world.sim.urls.aiSdk.openai, OPENAI_API_KEY: "sk-0123456789abcdef", HOME: home },
});
const batch = (...more: readonly string[]) =>
  runCli(["batch", input, "-o", output, "-m", "openai/ok", ...more], "", env());

describe("secondwind batch", () => {
  test("B6: answers every line, whatever its line end, and keeps ids, newlines and Chinese", async () => {
    const lines = [
      '\uFEFF"one"',
      "",
      '{"id":"b","prompt":"two\\nlines"}',
      '{"id":9,"messages":[{"role":"user","content":"你好"}]}',
    ];
    await writeFile(input, lines.join("\r\n"));
    const { code, err } = await batch("--ordered");
    expect(err).toMatch(/^Done: 3 of 3 lines answered, 0 failed, in .*; \d+ tokens\.\n$/);
    expect(code).toBe(0);
    expect(results().map(({ id, line }) => [id, line])).toEqual([
      [1, 1],
      ["b", 3],
      [9, 4],
    ]);
    expect(results()[2]?.text).toContain("模拟");
    expect(existsSync(`${output}.lock`)).toBe(false);
  });

  test("B6: a second run asks nothing again; lines added at the end are done", async () => {
    await writeFile(input, '"one"\n"two"\n');
    expect((await batch()).code).toBe(0);
    const before = readFileSync(output, "utf8");
    const again = await batch();
    expect([again.code, readFileSync(output, "utf8")]).toEqual([0, before]);
    appendFileSync(input, '"three"\n');
    expect((await batch()).err).toContain("Done: 3 of 3 lines");
    expect(readFileSync(output, "utf8").startsWith(before)).toBe(true);
  });

  test("B6: a bad line gets an error as its result and the exit code 1; corrected, --retry-failed does it", async () => {
    await writeFile(input, '"one"\nnot json\n');
    const bad = await batch();
    expect([bad.code, results().find(({ line }) => line === 2)]).toMatchObject([
      1,
      { kind: "bad_line", error: /line 2: the line must be/ },
    ]);
    expect(bad.err).toMatch(/^1 bad line gets an error as the result:\n {2}line 2: the line must be a JSON string/);
    await writeFile(input, '"one"\n"two"\n');
    const refused = await batch();
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain("line 2: changed since its result was written");
    expect((await batch("--retry-failed")).err).toContain("Done: 2 of 2 lines answered, 0 failed");
    expect(
      results()
        .map(({ line }) => line)
        .toSorted(),
    ).toEqual([1, 2]);
  });

  test("B6: --dry-run counts and estimates, and asks nothing", async () => {
    await writeFile(input, '"one"\n{"prompt":5}\n');
    const { code, out } = await batch("--dry-run");
    expect(code).toBe(0);
    expect(out).toContain("2 lines\n  to do:   2, with openai/ok");
    expect(out).toContain("line 2: prompt must be a string; got 5");
    expect(existsSync(output)).toBe(false);
  });

  test("B6: wrong usage is refused in a sentence", async () => {
    await writeFile(input, '{"id":"a","prompt":"x"}\n{"id":"a","prompt":"y"}\n');
    expect(await batch()).toMatchObject({
      code: 2,
      err: `secondwind: ${input}, line 2: the id "a" was already used in line 1\n`,
    });
    expect((await runCli(["batch", input])).err).toContain("required option '-o, --output <file>'");
    expect((await runCli(["batch", input, "-o", join(home, "no", "out.jsonl")])).err).toContain(
      "--output must be in a folder that exists",
    );
    expect((await runCli(["batch", input, "-o", input])).err).toContain("--output must be another file than the input");
    expect((await runCli(["batch", join(home, "none"), "-o", output])).err).toContain(
      "FILE must be a file that can be read (ENOENT)",
    );
    expect((await batch("-n", "0")).err).toContain("--concurrency must be a whole number from 1 to 1000");
    await writeFile(output, "my own notes\n");
    await writeFile(input, '"x"\n');
    expect((await batch()).err).toContain("line 1: not a result of secondwind batch");
    expect(readFileSync(output, "utf8")).toBe("my own notes\n");
  });

  test("B6: a rejected key stops the run with a reason, and writes no result", async () => {
    await writeFile(input, '"one"\n"two"\n"three"\n');
    const { code, err } = await runCli(["batch", input, "-o", output, "-m", "openai/unauthorized"], "", env());
    expect(code).toBe(1);
    expect(err).toMatch(/^Stopped: 0 of 3 lines answered, 0 failed\. 401 Unauthorized: /);
    expect(readFileSync(output, "utf8")).toBe("");
    expect((await batch()).code).toBe(0);
  });

  test("B6: reads stdin, and stops before more tokens are used than allowed", async () => {
    const prompts = Array.from({ length: 40 }, (_, n) => `"Question ${n}"\n`).join("");
    const args = ["batch", "-", "-o", output, "-m", "openai/ok", "--max-cost-tokens", "600"];
    const { code, err } = await runCli(args, prompts, env());
    expect(code).toBe(1);
    expect(err).toMatch(/Stopped at --max-cost-tokens: \d+ of 40 lines answered/);
    expect(results().length).toBeGreaterThan(0);
    expect(results().length).toBeLessThan(40);
    expect(existsSync(`${output}.stdin`)).toBe(false);
    const rest = await runCli(["batch", "-", "-o", output, "-m", "openai/ok"], prompts, env());
    expect(rest.err).toContain("Done: 40 of 40");
  });

  test("B6: two runs on one output: the second is refused; Ctrl-C ends the first, and the next run resumes", async () => {
    await writeFile(input, Array.from({ length: 12 }, (_, n) => `"Question ${n}"\n`).join(""));
    const endpoint = await startLimitedEndpoint({ limit: 4, windowMs: 60_000, answerMs: 50 });
    const args = ["batch", input, "-o", output, "-m", "openai/m"];
    const first = startCli(args, { ...env(), OPENAI_BASE_URL: endpoint.url });
    await until(() => existsSync(output) && results().length >= 4);
    expect((await batch()).err).toContain(`is in use by another secondwind batch (process ${first.child.pid}`);
    first.child.kill("SIGINT");
    const { code, err } = await first.end;
    await endpoint.close();
    expect(code).toBe(130);
    expect(err).toContain("Cancelled: 4 of 12 lines answered, 0 failed. Run the same command again to resume.");
    appendFileSync(output, '{"id":5,"li');
    const resumed = await batch();
    expect(resumed.err).toMatch(/^Removed an incomplete last line from .*\nDone: 12 of 12 lines answered/);
    expect(new Set(results().map(({ line }) => line)).size).toBe(12);
  }, 60_000);

  const SECONDS = often(8, 300);
  // A few seconds on a busy machine show only that it works; the bars are those of five minutes, and of virtual time.
  const LEAST_PER_SECOND = often(5, 9);
  const MOST_REFUSED = often(0.15, 0.02);
  test(`B5: for ${SECONDS} s against a limit of 600 a minute: ${LEAST_PER_SECOND * 10} % of it or more, with ${MOST_REFUSED * 100} % refused or less`, async () => {
    // In the short run the limit counts seconds, so that there are several windows.
    const windowMs = often(1000, 60_000);
    const endpoint = await startLimitedEndpoint({
      limit: windowMs / 100,
      windowMs,
      answerMs: 300,
      hasHeaders: SECONDS < 60,
    });
    const lines = SECONDS * 10;
    await writeFile(input, Array.from({ length: lines }, (_, n) => `"Question ${n}"\n`).join(""));
    const { code } = await runCli(["batch", input, "-o", output, "-m", "openai/m"], "", {
      ...env(),
      OPENAI_BASE_URL: endpoint.url,
    });
    await endpoint.close();
    expect(code).toBe(0);
    const { acceptedAtMs, accepted, refused } = endpoint;
    const seconds = ((acceptedAtMs.at(-1) ?? 0) - (acceptedAtMs[0] ?? 0)) / 1000;
    expect(accepted / seconds).toBeGreaterThan(LEAST_PER_SECOND);
    expect(refused / (accepted + refused)).toBeLessThanOrEqual(MOST_REFUSED);
  }, 900_000);
});
