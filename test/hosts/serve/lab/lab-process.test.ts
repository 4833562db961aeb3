import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { LabLine } from "../../../../src/wire/http/server.ts";
import { startCli } from "../../../support/run-cli.ts";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-lab-serve-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function startServer() {
  const started = startCli(["serve", "--port", "0", "--no-open"], { HOME: home, SECONDWIND_HOME: home });
  onTestFinished(() => void started.child.kill("SIGKILL"));
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(await started.said("http://127.0.0.1:")) ?? [];
  const { token } = (await (await fetch(`${url}/api/session`)).json()) as { readonly token: string };
  const run = (body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/api/lab`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-secondwind-token": token },
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });
  return { ...started, url, run };
}

/** The median time of /health over a number of calls, and the longest. */
async function healthTimes(
  url: string,
  isOver: () => boolean,
): Promise<{ readonly median: number; readonly most: number }> {
  const times: number[] = [];
  do {
    const from = performance.now();
    await (await fetch(`${url}/health`)).text();
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 10));
  } while (!isOver());
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, most: times.at(-1) ?? 0 };
}

const LARGE = { scenario: "black-hole", policies: ["default", "console"], clients: 1000, runs: 5 };

test("B7: the built server answers /health while a large run is under way, and ends with the result", async () => {
  const { url, run } = await startServer();
  let calls = 0;
  const idle = await healthTimes(url, () => {
    calls += 1;
    return calls >= 50;
  });
  const startMs = performance.now();
  const response = await run(LARGE);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  let text: string | undefined;
  const reading = response.text().then((all) => {
    text = all;
  });
  const busy = await healthTimes(url, () => text !== undefined);
  await reading;
  const runMs = performance.now() - startMs;
  const lines = (text ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as LabLine);
  expect(lines.at(-1)).toMatchObject({ type: "done", result: { finished: 5 } });
  expect(lines.filter(({ type }) => type === "partial").length).toBe(4);
  process.stdout.write(
    `/health: idle ${idle.median.toFixed(1)} ms, during a run of ${(runMs / 1000).toFixed(1)} s ${busy.median.toFixed(1)} ms, at most ${busy.most.toFixed(0)} ms\n`,
  );
  // In the server's own thread, one call would take as long as the whole run.
  expect(busy.most / runMs).toBeLessThan(0.25);
}, 120_000);

test("B7: a client that leaves ends its run, and SIGTERM in the middle of a run ends the process", async () => {
  const { run, child, end } = await startServer();
  const leaving = new AbortController();
  await run(LARGE, leaving.signal);
  await run(LARGE);
  expect((await run(LARGE)).status).toBe(429);
  leaving.abort();
  await expect.poll(async () => (await run(LARGE)).status, { timeout: 10_000 }).toBe(200);
  child.kill("SIGTERM");
  await end;
}, 60_000);
