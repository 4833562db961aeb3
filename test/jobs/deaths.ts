import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Job, type Jobs, openJobs } from "../../src/jobs/index.ts";
import { often } from "../support/soak.ts";
import { ended, FINAL } from "./fixtures.ts";
import { runStorm, type StormPlace } from "./storm.ts";
import { killed, workerStarter } from "./workers.ts";

const ask = (text: string) => ({ model: "weather/any", messages: [{ role: "user" as const, content: text }] });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** B6: what dies, and what is kept. The same for both implementations, with real processes. */
export function describeDeaths(name: string, makePlace: (folder: string) => Promise<StormPlace>): void {
  describe(`B6: jobs in ${name} whose processes die`, () => {
    const startWorker = workerStarter();
    let folder: string;
    let place: StormPlace;
    let jobs: Jobs;
    const running = async (id: string): Promise<Job> => ended(jobs, id, ["running"]);
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "secondwind-deaths-"));
      place = await makePlace(folder);
      jobs = await openJobs({ ...place.options, leaseMs: 1000 });
    });
    afterEach(async () => {
      await jobs.close();
      await place.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    test(
      "B6: kill -9 of workers, the server and the store's process at random moments loses no job and commits each once",
      async () => {
        const figures = await runStorm({
          ...{ place, jobs, startWorker, home: folder },
          count: often(30, 1000),
          kills: often(6, 200),
        });
        expect(figures).toMatchObject({ lost: 0, changed: 0, notDone: 0 });
        expect(figures.kills).toBe(often(6, 200));
        if (often(0, 1) === 1) process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
      },
      often(60_000, 3_600_000),
    );

    test(
      "B6: a worker that is stopped past its lock and wakes up commits nothing",
      async () => {
        let heldLock = 0;
        for (let round = 0; round < often(1, 50) + heldLock; round++) {
          const first = await startWorker({ place: place.address });
          const id = await jobs.submit(ask("slow 400"));
          await running(id);
          first.kill("SIGSTOP");
          const second = await startWorker({ place: place.address });
          const done = await ended(jobs, id, FINAL, 8000).catch(() => undefined);
          if (done === undefined) {
            // It was stopped inside a transaction: nobody can write to the file until it goes on. Then one result is committed.
            expect(++heldLock).toBeLessThan(5);
            first.kill("SIGCONT");
            expect(await ended(jobs, id)).toMatchObject({ state: "done" });
            await Promise.all([killed(first), killed(second)]);
            continue;
          }
          expect(done).toMatchObject({ state: "done" });
          const result = await jobs.result(id);
          expect(result?.text.split(" ")[0]).toBe(String(second.pid));
          first.kill("SIGCONT");
          await pause(700);
          expect(await jobs.result(id)).toEqual(result);
          expect(await jobs.get(id)).toEqual(done);
          await Promise.all([killed(first), killed(second)]);
        }
      },
      often(40_000, 900_000),
    );

    test(
      "B6: a job whose workers crash again and again completes when one survives",
      async () => {
        const crashes = often(2, 20);
        const id = await jobs.submit(ask(`crash ${crashes}`));
        for (let worker = 0; worker <= crashes; worker++) {
          const child = await startWorker({ place: place.address, folder });
          if (worker === crashes) break;
          if (child.exitCode === null && child.signalCode === null)
            await new Promise((resolve) => child.once("exit", resolve));
        }
        const done = await ended(jobs, id);
        expect(done).toMatchObject({ state: "done", receipt: { outcome: "succeeded" } });
      },
      often(40_000, 300_000),
    );

    test(
      "B6: a job that kills its worker every time ends as poison, and the others are done",
      async () => {
        const poisonAfter = often(4, 25);
        const poison = await jobs.submit(ask("crash 1000000"));
        const others = await jobs.submitAll(
          Array.from({ length: 20 }, (_, n) => ({ request: ask(`slow ${100 + n}`) })),
        );
        for (let worker = 0; worker <= poisonAfter; worker++) {
          const child = await startWorker({ place: place.address, folder, poisonAfter });
          if (worker === poisonAfter) break;
          if (child.exitCode === null && child.signalCode === null)
            await new Promise((resolve) => child.once("exit", resolve));
        }
        expect(await ended(jobs, poison)).toMatchObject({
          state: "failed",
          failure: { reason: "poison" },
          crashes: poisonAfter,
        });
        for (const id of others) expect(await ended(jobs, id)).toMatchObject({ state: "done" });
        expect((await jobs.list({ isPoison: true })).jobs.map(({ id }) => id)).toEqual([poison]);
      },
      often(40_000, 300_000),
    );

    test("B6: the job of a killed worker is taken up in time", async () => {
      const leaseMs = often(1000, 10_000);
      const first = await startWorker({ place: place.address, leaseMs });
      const id = await jobs.submit(ask("slow 2000"));
      await running(id);
      const second = await startWorker({ place: place.address, leaseMs });
      await killed(first);
      const killedAt = Date.now();
      const done = await ended(jobs, id);
      expect(done).toMatchObject({ state: "done", crashes: 0 });
      expect((await jobs.result(id))?.text.split(" ")[0]).toBe(String(second.pid));
      expect((done.finishedAt ?? 0) - 2000 - killedAt).toBeLessThan(Math.max(4000, 2 * leaseMs));
      await killed(second);
    }, 60_000);
  });
}
