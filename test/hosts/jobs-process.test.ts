import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJobs } from "../../src/jobs/index.ts";
import { runCli, startCli } from "../support/run-cli.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secondwind-jobs-cli-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ HOME: folder, SECONDWIND_HOME: folder });
const cli = (...args: readonly string[]) => runCli(args, "", env());
const hello = (model: string) => ({ model, messages: [{ role: "user" as const, content: "Hello" }] });

async function submit(...models: readonly string[]): Promise<readonly string[]> {
  const jobs = await openJobs({ path: join(folder, "jobs.db") });
  const ids = await jobs.submitAll(models.map((model) => ({ request: hello(model) })));
  await jobs.close();
  return ids;
}

describe("B6: secondwind jobs and secondwind work", () => {
  test("B6: work runs jobs until it is interrupted, and hands the rest on", async () => {
    const [good = "", bad = "", waits = ""] = await submit("sim/ok", "nobody/model", "sim/fault-20");
    const { child, end, said } = startCli(["work", "--time-scale", "0", "--drain", "5"], env());
    await Promise.all([
      said(`${good}  sim/ok  done after 1 attempt`),
      said(`${bad}  nobody/model  failed`),
      said(`${waits}  sim/fault-20  waits`),
    ]);
    child.kill("SIGINT");
    expect(await end).toMatchObject({ code: 0, err: "" });
    const list = await cli("jobs", "list");
    expect(list.out).toContain("0 accepted, 0 running, 1 waiting, 1 done, 1 failed, 0 cancelled");
    expect(list.out).toMatch(new RegExp(`^${waits}  waiting    sim/fault-20  .* ago, retry in [\\d.]+ m?s\\b`, "m"));
    const shown = await cli("jobs", "show", bad);
    expect(shown.out).toContain("no-target: Unknown provider: nobody");
    const json = JSON.parse((await cli("jobs", "show", good, "--json")).out) as {
      state: string;
      result: { text: string };
    };
    expect(json.state).toBe("done");
    expect(json.result.text).not.toBe("");
    expect(await cli("jobs", "retry", waits, bad)).toMatchObject({
      code: 0,
      out: `${waits}: is tried again\n${bad}: is tried again\n`,
    });
    expect(await cli("jobs", "cancel", waits)).toMatchObject({ code: 0, out: `${waits}: cancelled\n` });
    expect(await cli("jobs", "cancel", waits, "nope")).toMatchObject({ code: 1, out: "" });
    expect((await cli("jobs", "poison")).out).toContain("No such jobs.");
  });

  test("B6: invalid usage names the option and what is allowed", async () => {
    const wrong = [
      await cli("jobs", "list", "--state", "gone"),
      await cli("jobs", "list", "--limit", "0"),
      await cli("work", "--concurrency", "many"),
      await cli("work", "--drain", "-1"),
      await runCli(["jobs", "list"], "", { ...env(), REDIS_URL: "http://x" }),
    ];
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    for (const { err } of wrong) expect(err).toMatch(/^secondwind: .*must b.*\n$/);
    const away = await runCli(["jobs", "list"], "", { ...env(), REDIS_URL: "redis://:secret@127.0.0.1:1" });
    expect(away).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^secondwind: Redis at 127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED.*\n$/),
    });
    expect(away.err).not.toContain("secret");
  });
});
