import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Delivery, Job, Jobs, JobsOptions, Verdict } from "../../src/jobs/index.ts";
import { InvalidInput } from "../../src/kernel/index.ts";
import { until } from "../support/until.ts";
import { ask, ended, failsWith, receipt, saysBack, waitsUntil, wordsOf } from "./fixtures.ts";

const HOUR_MS = 3_600_000;

/** One place to keep jobs in; `open` opens it once more, as another process would. */
export interface Place {
  open(options?: JobsOptions): Promise<Jobs>;
  remove(): Promise<void>;
}

/** B6: what every implementation of the port does. */
export function describeJobs(name: string, makePlace: () => Promise<Place>): void {
  describe(`B6: jobs in ${name}`, () => {
    let place: Place;
    const opened: Jobs[] = [];
    const open = async (options?: JobsOptions): Promise<Jobs> => {
      const jobs = await place.open({ crashDelayMs: 0, ...options });
      opened.push(jobs);
      return jobs;
    };
    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(async () => {
      vi.useRealTimers();
      await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
      await place.remove();
    });

    test("B6: a job is accepted, run once and done, with its result and receipt", async () => {
      const jobs = await open();
      const id = await jobs.submit(ask("hello"), { group: "g" });
      expect(await jobs.get(id)).toMatchObject({
        id,
        state: "accepted",
        model: "sim/ok",
        policy: "patient",
        group: "g",
      });
      expect(await jobs.result(id)).toBeUndefined();
      jobs.work(saysBack);
      const done = await ended(jobs, id);
      expect(done).toMatchObject({ state: "done", attempts: 1, crashes: 0, receipt: { outcome: "succeeded" } });
      expect(done.finishedAt).toBeGreaterThanOrEqual(done.createdAt);
      expect(await jobs.result(id)).toEqual({ text: "hello", model: "sim/ok", stopReason: "end" });
      expect(await jobs.request(id)).toEqual(ask("hello"));
    });

    test("B6: a failed job says why, and starts anew when a person retries it", async () => {
      const jobs = await open();
      const id = await jobs.submit(ask("x"));
      const worker = jobs.work(failsWith("HTTP 400: no"));
      expect(await ended(jobs, id)).toMatchObject({
        state: "failed",
        failure: { reason: "not-retryable", kind: "bad_request", message: "HTTP 400: no" },
        receipt: { outcome: "not-retryable" },
      });
      expect(await jobs.result(id)).toBeUndefined();
      await worker.close();
      expect(await jobs.retryNow(id)).toBe(true);
      const again = await jobs.get(id);
      expect(again).toMatchObject({ state: "accepted", attempts: 0 });
      expect(again).not.toHaveProperty("failure");
      jobs.work(saysBack);
      expect(await ended(jobs, id)).toMatchObject({ state: "done" });
      expect(await jobs.retryNow(id)).toBe(false);
    });

    test("B6: submitting again with the same key returns the same job, however many do so at once", async () => {
      const [one, other] = [await open(), await open()];
      const ids = await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : other).submit(ask("same"), { key: "order 7" })),
      );
      expect(new Set(ids).size).toBe(1);
      expect((await one.list()).jobs).toMatchObject([{ key: "order 7" }]);
      one.work(saysBack);
      await ended(one, ids[0] as string);
      expect(await other.submit(ask("same"), { key: "order 7" })).toBe(ids[0]);
      const reused = { name: "JobsError", code: "key-reused", message: expect.stringContaining('"order 7"') };
      await expect(one.submit(ask("different"), { key: "order 7" })).rejects.toMatchObject(reused);
    });

    test("B6: invalid requests and options are refused with the field, and nothing is stored", async () => {
      const jobs = await open({ maxBytes: 2000 });
      const bad = [
        jobs.submit({ ...ask("x"), messages: [] }),
        jobs.submit({ ...ask("x"), model: "" }),
        jobs.submit({ ...ask("x"), tools: [] } as never),
        jobs.submit(ask("x"), { policy: "never heard of" }),
        jobs.submit(ask("x"), { policy: { maxDelayMs: -1 } }),
        jobs.submit(ask("x"), { key: "" }),
        jobs.submit(ask("x"), { key: "a\0b" }),
        jobs.submit(ask("x"), { group: "line\n" }),
        jobs.submit({ ...ask("x"), model: "sim/\0" }),
        jobs.list({ group: "\0" }),
        jobs.submit(ask("x"), { deadline: Number.NaN }),
        jobs.submit(ask("x"), { keys: "typo" } as never),
        jobs.submitAll([{ request: ask("fine") }, { request: { ...ask("x"), messages: "no" } as never }]),
        jobs.list({ limit: 0 }),
        jobs.list({ after: "a" }),
        jobs.list({ states: ["gone" as never] }),
      ];
      for (const one of bad) await expect(one).rejects.toBeInstanceOf(InvalidInput);
      await expect(jobs.submit(ask("y".repeat(3000)))).rejects.toMatchObject({ code: "too-large" });
      expect((await jobs.list()).jobs).toEqual([]);
    });

    test("B6: a request and a result of megabytes come through whole; a result beyond the limit fails the job", async () => {
      const jobs = await open({ maxBytes: 8_000_000 });
      const long = '€ \u0000 \ud83d\ude00 "'.repeat(400_000);
      const [id, tooLong] = await jobs.submitAll([{ request: ask(long) }, { request: ask("grow") }]);
      jobs.work(async (delivery) => {
        const verdict = await saysBack(delivery);
        if (verdict.type !== "done" || wordsOf(delivery.request) !== "grow") return verdict;
        return { ...verdict, result: { ...verdict.result, text: "z".repeat(8_000_001) } };
      });
      await ended(jobs, id as string);
      expect((await jobs.result(id as string))?.text === long).toBe(true);
      expect(await ended(jobs, tooLong as string)).toMatchObject({ state: "failed", failure: { reason: "too-large" } });
    });

    test("B6: 400 jobs on three workers of two processes are each run once", async () => {
      const [one, other] = [await open(), await open()];
      const seen = new Map<string, number>();
      const count = async (delivery: Delivery): Promise<Verdict> => {
        const words = wordsOf(delivery.request);
        seen.set(words, (seen.get(words) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return saysBack(delivery);
      };
      one.work(count, { concurrency: 10 });
      other.work(count, { concurrency: 20 });
      other.work(count, { concurrency: 1 });
      const ids = await one.submitAll(Array.from({ length: 400 }, (_, n) => ({ request: ask(`job ${n}`) })));
      for (const id of ids) await ended(one, id);
      expect(seen.size).toBe(400);
      expect(Math.max(...seen.values())).toBe(1);
      expect(await one.counts()).toMatchObject({ done: 400, accepted: 0, running: 0, waiting: 0 });
    });

    test("B6: no worker runs more jobs at a time than its concurrency", async () => {
      const jobs = await open();
      let now = 0;
      let most = 0;
      const worker = jobs.work(
        async (delivery) => {
          most = Math.max(most, ++now);
          await new Promise((resolve) => setTimeout(resolve, 5));
          now--;
          return saysBack(delivery);
        },
        { concurrency: 3 },
      );
      const ids = await jobs.submitAll(Array.from({ length: 20 }, (_, n) => ({ request: ask(`${n}`) })));
      for (const id of ids) await ended(jobs, id);
      expect(most).toBe(3);
      await until(() => worker.running === 0);
      expect(() => jobs.work(saysBack, { concurrency: 0 })).toThrow(InvalidInput);
    });

    test("B6: a waiting job holds no worker, and goes on from what was saved when its time has come", async () => {
      const jobs = await open();
      const deliveries: Delivery[] = [];
      const started = Date.now();
      const worker = jobs.work(
        async (delivery) => {
          deliveries.push(delivery);
          if (wordsOf(delivery.request) === "quick") return saysBack(delivery);
          return delivery.saved === undefined ? waitsUntil(delivery.job, started + 1500) : saysBack(delivery);
        },
        { concurrency: 1 },
      );
      const id = await jobs.submit(ask("slow"));
      const waiting = await ended(jobs, id, ["waiting"]);
      expect(waiting).toMatchObject({ until: started + 1500, attempts: 1, failure: { message: "HTTP 503" } });
      const quick = await jobs.submit(ask("quick"));
      await ended(jobs, quick);
      expect(await jobs.get(id)).toMatchObject({ state: "waiting" });
      const done = await ended(jobs, id);
      expect(done).toMatchObject({ state: "done" });
      expect(done).not.toHaveProperty("until");
      expect(done.updatedAt).toBeGreaterThanOrEqual(started + 1500);
      expect(done.updatedAt).toBeLessThan(started + 3500);
      expect(deliveries.at(-1)).toMatchObject({ isRetriedNow: false, saved: { attempts: 1, until: started + 1500 } });
      expect(deliveries).toHaveLength(3);
      await worker.close();
    });

    test("B8: a person ends the wait of a job early", async () => {
      const jobs = await open();
      const retried: boolean[] = [];
      jobs.work(async (delivery) => {
        retried.push(delivery.isRetriedNow);
        return delivery.saved === undefined ? waitsUntil(delivery.job, Date.now() + HOUR_MS) : saysBack(delivery);
      });
      const id = await jobs.submit(ask("x"));
      await ended(jobs, id, ["waiting"]);
      expect(await jobs.retryNow(id)).toBe(true);
      expect(await ended(jobs, id)).toMatchObject({ state: "done" });
      expect(retried).toEqual([false, true]);
      expect(await jobs.retryNow("unknown")).toBe(false);
    });

    test("B6: a job is cancelled at once in every state, and what its call still returns is not committed", async () => {
      const jobs = await open();
      const other = await open();
      const idle = await jobs.submit(ask("idle"));
      expect(await other.cancel(idle)).toBe(true);
      expect(await jobs.get(idle)).toMatchObject({ state: "cancelled", receipt: { outcome: "aborted", attempts: 0 } });
      const aborted: string[] = [];
      let starts = 0;
      jobs.work(async (delivery) => {
        starts++;
        if (wordsOf(delivery.request) === "waits") return waitsUntil(delivery.job, Date.now() + HOUR_MS);
        await new Promise<void>((resolve) => delivery.signal.addEventListener("abort", () => resolve()));
        aborted.push(delivery.job.id);
        return saysBack(delivery);
      });
      const waits = await jobs.submit(ask("waits"));
      await ended(jobs, waits, ["waiting"]);
      expect(await jobs.cancel(waits)).toBe(true);
      expect(await jobs.get(waits)).toMatchObject({ state: "cancelled", receipt: { outcome: "aborted", attempts: 1 } });
      for (const canceller of [jobs, other]) {
        const running = await jobs.submit(ask("runs"));
        await ended(jobs, running, ["running"]);
        expect(await canceller.cancel(running)).toBe(true);
        await until(() => aborted.includes(running), 8000);
        expect(await jobs.cancel(running)).toBe(false);
        expect(await jobs.get(running)).toMatchObject({ state: "cancelled" });
        expect(await jobs.result(running)).toBeUndefined();
      }
      expect(starts).toBe(3);
      for (const id of ["unknown", "", "\0", "a:b", "x".repeat(5000), "{}"]) {
        expect(await jobs.cancel(id)).toBe(false);
        expect(await jobs.retryNow(id)).toBe(false);
        expect([await jobs.get(id), await jobs.result(id), await jobs.request(id)]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
      }
    });

    test("B6: a worker that closes hands its jobs on, and that is no crash", async () => {
      const jobs = await open();
      const id = await jobs.submit(ask("long"));
      const worker = jobs.work(({ signal }) => {
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ type: "released" })));
      });
      await ended(jobs, id, ["running"]);
      await worker.close();
      expect(await jobs.get(id)).toMatchObject({ state: "accepted", crashes: 0 });
      (await open()).work(saysBack);
      expect(await ended(jobs, id)).toMatchObject({ state: "done", crashes: 0 });
    });

    test("B6: a worker that drains lets its jobs end and takes no more", async () => {
      const jobs = await open();
      const ids = await jobs.submitAll([{ request: ask("one") }, { request: ask("two") }]);
      const worker = jobs.work(
        async (delivery) => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          return saysBack(delivery);
        },
        { concurrency: 1 },
      );
      await until(() => worker.running === 1);
      await worker.close({ drainMs: 5000 });
      const states = (await Promise.all(ids.map((id) => jobs.get(id)))).map((job) => job?.state);
      expect(states.sort()).toEqual(["accepted", "done"]);
    });

    test("B6: a job that breaks its runner each time ends as poison, visible, while the others go on", async () => {
      const jobs = await open({ poisonAfter: 4 });
      const reported = vi.spyOn(process.stderr, "write").mockReturnValue(true);
      let tries = 0;
      jobs.work(async (delivery) => {
        if (wordsOf(delivery.request) !== "poison") return saysBack(delivery);
        tries++;
        throw new Error("boom");
      });
      const poison = await jobs.submit(ask("poison"));
      const ids = await jobs.submitAll(Array.from({ length: 20 }, (_, n) => ({ request: ask(`${n}`) })));
      for (const id of ids) expect(await ended(jobs, id)).toMatchObject({ state: "done" });
      expect(await ended(jobs, poison)).toMatchObject({
        state: "failed",
        crashes: 4,
        failure: { reason: "poison", message: expect.stringContaining("4 times in a row") },
      });
      expect(tries).toBe(4);
      expect((await jobs.list({ isPoison: true })).jobs).toMatchObject([{ id: poison }]);
      expect(await jobs.counts()).toMatchObject({ poison: 1, failed: 1, done: 20 });
      expect(await jobs.retryNow(poison)).toBe(true);
      expect(await jobs.counts()).toMatchObject({ poison: 0 });
      reported.mockRestore();
    });

    test("B6: watching shows where a job stands, every change after it, and ends with it", async () => {
      const [jobs, elsewhere] = [await open(), await open()];
      const id = await jobs.submit(ask("x"));
      const states: string[] = [];
      const watching = (async () => {
        for await (const job of elsewhere.watch(id)) states.push(job.state);
      })();
      const heard: Job[] = [];
      const stop = elsewhere.onChange((job) => heard.push(job));
      await until(() => states.length === 1);
      jobs.work(async (delivery) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return delivery.saved === undefined ? waitsUntil(delivery.job, Date.now() + 1000) : saysBack(delivery);
      });
      await watching;
      expect(states).toEqual(["accepted", "running", "waiting", "running", "done"]);
      await until(() => heard.at(-1)?.state === "done");
      stop();
      const unknown: Job[] = [];
      for await (const job of jobs.watch("unknown")) unknown.push(job);
      expect(unknown).toEqual([]);
      const leaving = AbortSignal.timeout(50);
      const open2 = await jobs.submit(ask("y"), {});
      for await (const job of elsewhere.watch(open2, { signal: leaving })) expect(job.id).toBe(open2);
    });

    test("B6: lists the newest first, page by page, by state and by group", async () => {
      const jobs = await open();
      const ids = await jobs.submitAll(
        Array.from({ length: 25 }, (_, n) => ({
          request: ask(`${n}`),
          options: { group: n % 2 === 0 ? "even" : "odd" },
        })),
      );
      const newestFirst = [...ids].reverse();
      const pages: string[][] = [];
      for (let after: string | undefined; ; ) {
        const page = await jobs.list({ limit: 10, ...(after !== undefined && { after }) });
        pages.push(page.jobs.map(({ id }) => id));
        if (page.next === undefined) break;
        after = page.next;
      }
      expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
      expect(pages.flat()).toEqual(newestFirst);
      await jobs.cancel(ids[3] as string);
      expect((await jobs.list({ states: ["cancelled"] })).jobs.map(({ id }) => id)).toEqual([ids[3]]);
      const odd = await jobs.list({ group: "odd", states: ["accepted"], limit: 1000 });
      expect(odd.jobs).toHaveLength(11);
      const oldest = (await jobs.get(ids[0] as string))?.createdAt;
      expect(await jobs.counts()).toEqual({
        ...{ accepted: 24, running: 0, waiting: 0, done: 0, failed: 0, cancelled: 1 },
        ...{ poison: 0, stalled: 0, oldestAt: oldest },
      });
      expect(await jobs.check()).toEqual({ ok: true });
    });

    test("B6: a wait of 8 h through 50 restarts fires once, on time to the second", async () => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
      const until8h = Date.now() + 8 * HOUR_MS;
      const fired: number[] = [];
      const run = async (delivery: Delivery): Promise<Verdict> => {
        if (delivery.saved === undefined) return waitsUntil(delivery.job, until8h);
        fired.push(Date.now());
        return saysBack(delivery);
      };
      const first = await open();
      const id = await first.submit(ask("x"));
      first.work(run);
      await ended(first, id, ["waiting"]);
      await first.close();
      for (let restart = 1; restart <= 50; restart++) {
        // The last three are a second before the end, at it, and after it.
        const leftMs = restart <= 47 ? (8 * HOUR_MS * (48 - restart)) / 48 : (49 - restart) * 1000;
        vi.setSystemTime(until8h - leftMs);
        const jobs = await open();
        const worker = jobs.work(run);
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (leftMs > 0) expect(await jobs.get(id)).toMatchObject({ state: "waiting", until: until8h });
        if (leftMs === 0) await ended(jobs, id);
        await worker.close();
        await jobs.close();
      }
      expect(fired).toEqual([until8h]);
      const last = await open();
      expect(await last.get(id)).toMatchObject({ state: "done", finishedAt: until8h });
    }, 30_000);

    test("B6: what a worker returns for an older delivery is not committed", async () => {
      const jobs = await open();
      const id = await jobs.submit(ask("x"));
      let finish: ((verdict: Verdict) => void) | undefined;
      // One at a time: it is busy with the first delivery, and the second goes elsewhere.
      const late = jobs.work(
        ({ job }) =>
          new Promise<Verdict>((resolve) => {
            finish = () => resolve({ ...stale, receipt: receipt(job.id, "succeeded") });
          }),
        { concurrency: 1 },
      );
      const stale = { type: "done" as const, result: { text: "stale", model: "m", stopReason: "end" as const } };
      await until(() => finish !== undefined);
      // Cancelled and accepted again: the first delivery is the job's latest no more.
      await jobs.cancel(id);
      await jobs.retryNow(id);
      const other = await open();
      other.work(saysBack);
      expect(await ended(jobs, id)).toMatchObject({ state: "done" });
      finish?.({ ...stale, receipt: receipt(id, "succeeded") });
      await late.close();
      expect(await jobs.result(id)).toMatchObject({ text: "x" });
    });
  });
}
