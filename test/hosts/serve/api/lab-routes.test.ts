import { describe, expect, test } from "vitest";
import { labRoutes } from "../../../../src/hosts/serve/api/lab-routes.ts";
import type { LabJob, StartLab } from "../../../../src/hosts/serve/lab/lab-job.ts";
import { definePolicy } from "../../../../src/kernel/index.ts";
import { patientPolicy } from "../../../../src/presets/index.ts";
import type { LabChoices, LabLine, PolicyView } from "../../../../src/wire/http/server.ts";

const HASTY = definePolicy({ name: "hasty", schedules: { general: { type: "fixed", delayMs: 100, atMost: 5 } } });
const POLICIES: readonly PolicyView[] = [
  { name: "patient", isPreset: true, policy: patientPolicy() },
  { name: "hasty", isPreset: false, policy: HASTY },
];

function setUp(start?: StartLab) {
  const [get, post] = labRoutes({ policies: () => POLICIES, ...(start !== undefined && { start }) });
  const run = async (body: object, signal = new AbortController().signal): Promise<Response> => {
    const checked = post?.body?.parse(body);
    return (await post?.run({ params: {}, query: undefined, body: checked, signal })) as Response;
  };
  const choices = async (): Promise<LabChoices> =>
    (await get?.run({
      params: {},
      query: undefined,
      body: undefined,
      signal: new AbortController().signal,
    })) as LabChoices;
  return { run, choices };
}

async function* linesOf(response: Response): AsyncGenerator<LabLine> {
  let rest = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as LabLine;
  }
  expect(rest).toBe("");
}

async function allLines(response: Response): Promise<readonly LabLine[]> {
  const all: LabLine[] = [];
  for await (const line of linesOf(response)) all.push(line);
  return all;
}

const TWO = { scenario: "fast-503", policies: ["default", "console"] };

describe("choices of the lab", () => {
  test("B7: lists every scenario with a picture, and own policies before presets, peers and none", async () => {
    const { scenarios, policies, figures } = await setUp().choices();
    expect(scenarios.map(({ name }) => name)).toContain("black-hole");
    for (const { title, description, shape } of scenarios) {
      expect([title.length > 0, description.length > 0, shape.length > 10]).toEqual([true, true, true]);
      expect(shape.every((share) => share >= 0 && share <= 1)).toBe(true);
    }
    expect(scenarios.find(({ name }) => name === "fast-503")?.shape).toEqual(expect.arrayContaining([0, 1]));
    expect(policies[0]).toEqual({ name: "hasty", group: "own" });
    expect(policies).toEqual(
      expect.arrayContaining([
        { name: "patient", group: "preset" },
        { name: "cockatiel", group: "peer" },
        { name: "none", group: "none" },
      ]),
    );
    expect(figures.map(({ key }) => key)).toContain("recoverySeconds");
  });
});

describe("a run of the lab, in its thread", () => {
  test("B7: sends progress, a partial result after each run but the last, then the result and a report", async () => {
    const lines = await allLines(await setUp().run({ ...TWO, clients: 500, runs: 3 }));
    expect(lines[0]).toMatchObject({ type: "progress", run: 1, runs: 3 });
    const partial = lines.filter((line) => line.type === "partial");
    expect(partial.map(({ result }) => result.finished)).toEqual([1, 2]);
    const last = lines.at(-1);
    if (last?.type !== "done") throw new Error(`The last line is ${last?.type}`);
    const { result, report } = last;
    expect(result).toMatchObject({ finished: 3, runs: 3, outageFrom: 60, outageTo: 120, seconds: 240 });
    expect(result.policies.map(({ name }) => name)).toEqual(["default", "console"]);
    expect(result.policies[0]?.figures).toMatchObject({ amplification: expect.any(Number), served: null });
    const [load] = result.charts;
    expect([load?.id, load?.at.length, load?.lines.map(({ mean }) => mean.length)]).toEqual(["calls", 240, [240, 240]]);
    expect(load?.capacity).toBeGreaterThan(0);
    expect(result.inShort).toMatch(/^default makes \d+ % fewer calls;/);
    expect(result.facts[0]).toMatchObject({ type: "fewer-calls", policy: "default" });
    expect(report).toContain("<!doctype html>");
  });

  test("B7: runs an own policy", async () => {
    const lines = await allLines(await setUp().run({ ...TWO, policies: ["hasty", "none"], clients: 20, runs: 1 }));
    const last = lines.at(-1);
    expect(last).toMatchObject({ type: "done", result: { policies: [{ name: "hasty" }, { name: "none" }] } });
    expect(last?.type === "done" && last.result.facts).toEqual(
      expect.arrayContaining([{ type: "failed", shares: [expect.any(Number), expect.any(Number)] }]),
    );
  });

  test("B7: this thread stays responsive while a large run is under way", async () => {
    const response = await setUp().run({ ...TWO, scenario: "black-hole", clients: 500, runs: 2 });
    const delays: number[] = [];
    let isRunning = true;
    const watch = (async () => {
      while (isRunning) {
        const from = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 5));
        delays.push(performance.now() - from - 5);
      }
    })();
    const lines = await allLines(response);
    isRunning = false;
    await watch;
    const all = delays.reduce((sum, delay) => sum + delay + 5, 0);
    const blocked = delays.filter((delay) => delay > 100).reduce((sum, delay) => sum + delay, 0);
    expect(lines.at(-1)?.type).toBe("done");
    // Run in this thread, it would be all of it.
    expect(blocked / all).toBeLessThan(0.2);
  }, 60_000);
});

/** A lab that never ends by itself. */
function endless() {
  const jobs: { readonly job: LabJob; readonly onLine: (line: LabLine) => void; isEnded: boolean }[] = [];
  const start: StartLab = (job, onLine) => {
    const one = { job, onLine, isEnded: false };
    jobs.push(one);
    return () => {
      one.isEnded = true;
    };
  };
  return { jobs, start };
}

describe("the limits of the lab", () => {
  test("B7: at most two runs at once; a cancelled or finished one makes room", async () => {
    const { jobs, start } = endless();
    const { run } = setUp(start);
    const leaving = new AbortController();
    await run(TWO, leaving.signal);
    const second = await run(TWO);
    await expect(run(TWO)).rejects.toMatchObject({ status: 429 });
    leaving.abort();
    expect(jobs[0]?.isEnded).toBe(true);
    const third = await run(TWO);
    await expect(run(TWO)).rejects.toMatchObject({ status: 429 });
    await second.body?.cancel();
    expect(jobs[1]?.isEnded).toBe(true);
    await run(TWO);
    jobs[2]?.onLine({ type: "error", message: "no luck" });
    expect(await allLines(third)).toEqual([{ type: "error", message: "no luck" }]);
    await run(TWO);
    await expect(run(TWO)).rejects.toMatchObject({ status: 429 });
  });

  test.each([
    [{ scenario: "rain" }, "scenario"],
    [{ policies: ["default", "default"] }, "policies"],
    [{ policies: ["default", "toString"] }, "policies"],
  ])("B7: rejects %o, naming the field", async (change, field) => {
    await expect(setUp(endless().start).run({ ...TWO, ...change })).rejects.toMatchObject({ status: 400, field });
  });

  test.each([{ clients: 0 }, { clients: 10_001 }, { runs: 21 }, { policies: ["default"] }, { runs: 1.5 }])(
    "B7: does not accept %o",
    async (change) => {
      await expect(setUp(endless().start).run({ ...TWO, ...change })).rejects.toThrow();
    },
  );

  test("B7: a run that fails in its thread ends with an error", async () => {
    const { startLabWorker } = await import("../../../../src/hosts/serve/lab/start-lab-worker.ts");
    const broken = { scenario: "nothing", policies: ["default", "none"], clients: 1, runs: 1 } as unknown as LabJob;
    const line = await new Promise<LabLine>((resolve) => {
      startLabWorker(broken, resolve);
    });
    expect(line.type).toBe("error");
  });
});

describe("the end of the server", () => {
  test("B7: a run ends at once with an error line, and its thread with it", async () => {
    const stopping = new AbortController();
    let stopped = 0;
    const start: StartLab = (_, onLine) => {
      onLine({ type: "progress", run: 1, runs: 5, share: 0, secondsLeft: null });
      return () => {
        stopped += 1;
      };
    };
    const [, post] = labRoutes({ policies: () => POLICIES, start, stopping: stopping.signal });
    const { signal } = new AbortController();
    const body = post?.body?.parse(TWO);
    const response = (await post?.run({ params: {}, query: undefined, body, signal })) as Response;
    stopping.abort();
    expect(stopped).toBe(1);
    expect((await allLines(response)).at(-1)).toEqual({ type: "error", message: "The server is shutting down" });
  });
});
