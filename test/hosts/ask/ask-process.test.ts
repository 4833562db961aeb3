import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI, runCli, startCli } from "../../support/run-cli.ts";
import { until } from "../../support/until.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-ask-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const ask = (args: readonly string[], input = "") => runCli(["ask", ...args], input, { HOME: home });

describe("B4: secondwind ask, as a process", () => {
  test("B4: without a key the simulated model answers, on stdout and nowhere else; nothing is stored", async () => {
    expect(await ask(["echo:", "hello"])).toEqual({ code: 0, out: "hello\n", err: "" });
    expect(await readdir(home, { recursive: true })).toEqual([]);
  });

  test("B4: retries are printed on stderr, and only the answer on stdout", async () => {
    const policy = join(home, "quick.json");
    await writeFile(policy, JSON.stringify({ schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } } }));
    const { code, out, err } = await ask(["-m", "sim/overloaded-twice", "-p", policy, "echo: hello"]);
    expect({ code, out }).toEqual({ code: 0, out: "hello\n" });
    const retry = (n: number): string => `529 Overloaded; retry ${n} of 3 in 1 s · waited 0 s of 5 min\n`;
    expect(err).toBe(retry(1) + retry(2));
    await rm(policy);
  });

  test("B4: --json gives answer and receipt", async () => {
    const { code, out, err } = await ask(["--json", "echo: hello"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      answer: "hello",
      receipt: { complete: true, attempts: 1, waitedMs: 0, targets: [{ provider: "sim", model: "sonnet" }] },
    });
  });

  test("B4: a failure exits with 1 and prints the reason, as JSON with --json", async () => {
    expect(await ask(["-m", "sim/bad-request", "hello"])).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^No answer after 1 attempt: 400 Bad Request: .+\n$/),
    });
    const { code, out, err } = await ask(["--json", "-m", "sim/bad-request", "hello"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      answer: "",
      error: expect.stringContaining("400"),
      receipt: { attempts: 1 },
    });
  });

  test("B4: a truncated answer exits with 1 and names the broken connection, not 200 OK", async () => {
    const { code, err } = await ask(["-m", "sim/cut-5", "hello"]);
    expect(code).toBe(1);
    expect(err).toBe(
      "No answer after 1 attempt: Connection failed, ECONNRESET: The connection closed before the answer was complete; the answer above is cut\n",
    );
  });

  test("B4: what is piped in stands below the question, or is the question", async () => {
    expect((await ask(["-m", "sim/echo", "Summarise:"], "line one\nline two\n")).out).toBe(
      "Summarise:\n\nline one\nline two\n",
    );
    expect((await ask(["-m", "sim/echo"], "only this\n")).out).toBe("only this\n");
  });

  test.each([
    [[], "question must be given as an argument, or piped in"],
    [["-m", "nobody/x", "hi"], "--model must be of a known provider"],
    [["-m", "nonsense", "hi"], "--model must be provider/model"],
    [["-p", "nobody", "hi"], "--policy must be one of default"],
    [["-w", "soon", "hi"], "--max-wait must be in seconds such as 30 or 2.5"],
  ])("B4: invalid usage exits with 2: %j", async (args, words) => {
    const { code, out, err } = await ask(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });

  test("B4: control characters from a file or an argument do not reach the terminal in an error", async () => {
    const policy = join(home, "evil.json");
    await writeFile(policy, '{"name":\u001b]0;owned\u0007\u001b[31mred\u009b2J}');
    const { code, err } = await ask(["-p", policy, "hi"]);
    await rm(policy);
    expect(code).toBe(2);
    expect(err).toContain("--policy must be a JSON file");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
    expect(err.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    const mistyped = await ask(["--mo\u001b[31mdel", "x", "hi"]);
    expect(mistyped.err).toContain("unknown option");
    expect(mistyped.err).not.toContain("\u001b");
  });

  test("B4: exits with 141 if the reader closes stdout early", async () => {
    const { child, end, said } = startCli(["ask", "-m", "sim/ok-5000", "hello"], { HOME: home });
    child.stdin.end();
    await said(" ");
    child.stdout.destroy();
    expect(await end).toMatchObject({ code: 141, err: "" });
  });

  test.runIf(existsSync("/dev/full"))("B4: exits with 1 and prints the reason if stdout can't be written", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [CLI, "ask", "echo: hello"], {
      stdio: ["ignore", full, "pipe"],
      env: { PATH: process.env.PATH ?? "", HOME: home },
    });
    closeSync(full);
    let err = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      err += chunk;
    });
    const [code] = await once(child, "close");
    expect([code, err]).toEqual([1, expect.stringMatching(/^secondwind: ENOSPC.*\n$/)]);
  });

  test("B8: Ctrl-C cancels at once: 130, whatever it is waiting for", async () => {
    const { child, end } = startCli(["ask", "-p", "patient", "-m", "sim/down", "hello"], { HOME: home });
    child.stdin.end();
    let err = "";
    child.stderr.on("data", (chunk: string) => {
      err += chunk;
    });
    await until(() => err.includes("retry 1 of 21 in 5 s"), 15_000);
    const startMs = performance.now();
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, out: "" });
    expect(performance.now() - startMs).toBeLessThan(2500);
    expect(err).toContain("Cancelled after 1 attempt\n");
  });
});
