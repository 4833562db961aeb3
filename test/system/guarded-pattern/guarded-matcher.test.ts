import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ContentVerdict } from "../../../src/kernel/model/ports.ts";
import { createGuardedMatcher } from "../../../src/system/guarded-pattern/guarded-matcher.ts";
import type { MatchRequest } from "../../../src/system/guarded-pattern/match-text.ts";
import type { StartWorker, WorkerEvents } from "../../../src/system/guarded-pattern/start-worker.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker that replies when the test calls its events. */
interface PuppetWorker {
  readonly events: WorkerEvents;
  readonly got: MatchRequest[];
  isStopped: boolean;
  isHeld: boolean;
}

function stage(options: { readonly startWorker?: StartWorker; readonly loadSource?: () => Promise<string> } = {}) {
  const workers: PuppetWorker[] = [];
  const startWorker: StartWorker = (_, events) => {
    const worker: PuppetWorker = { events, got: [], isStopped: false, isHeld: true };
    workers.push(worker);
    return {
      post: (request) => void worker.got.push(request),
      stop: () => {
        worker.isStopped = true;
      },
      hold: (isHeld) => {
        worker.isHeld = isHeld;
      },
    };
  };
  const matchHere = vi.fn(async (): Promise<ContentVerdict> => "present");
  const matcher = createGuardedMatcher({
    timeLimitMs: 250,
    startWorker,
    loadSource: async () => "source",
    matchHere,
    ...options,
  });
  const ask = (text: string) => {
    const state: { verdict: ContentVerdict | undefined } = { verdict: undefined };
    void matcher.match({ text, pattern: "p", flags: "i" }).then((verdict) => {
      state.verdict = verdict;
    });
    return state;
  };
  const worker = (index: number) => workers[index] as PuppetWorker;
  const reply = (index: number, verdict: ContentVerdict) => {
    worker(index).events.onReply(verdict);
    return pass(0);
  };
  const ready = (index: number) => {
    worker(index).events.onReply("ready");
    return pass(0);
  };
  return { matcher, matchHere, workers, worker, ask, reply, ready };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("one worker, one check at a time", () => {
  test("E16: starts at the first check, keeps the worker, and gives it one check after another", async () => {
    const { workers, worker, ask, reply, ready } = stage();
    expect(workers).toHaveLength(0);
    const [one, other] = [ask("one"), ask("other")];
    await pass(0);
    expect(worker(0).got).toEqual([]);
    await ready(0);
    expect(worker(0).got).toEqual([{ text: "one", pattern: "p", flags: "i" }]);
    await reply(0, "present");
    expect(one.verdict).toBe("present");
    expect(worker(0).got.at(-1)).toMatchObject({ text: "other" });
    await reply(0, "missing");
    expect(other.verdict).toBe("missing");
    expect(workers).toHaveLength(1);
  });

  test("E16: each check has its own limit, counted from when the worker gets it", async () => {
    const { worker, ask, reply, ready } = stage();
    const [one, other] = [ask("one"), ask("other")];
    // Starting up is not counted.
    await pass(2000);
    await ready(0);
    await pass(240);
    await reply(0, "present");
    await pass(240);
    await reply(0, "present");
    expect([one.verdict, other.verdict]).toEqual(["present", "present"]);
    expect(worker(0).isStopped).toBe(false);
  });

  test("E16: a check over its limit is inconclusive, its worker is stopped, the next check gets a new one", async () => {
    const { workers, worker, ask, reply, ready } = stage();
    const [slow, next] = [ask("slow"), ask("next")];
    await pass(0);
    await ready(0);
    await pass(249);
    expect(slow.verdict).toBeUndefined();
    await pass(3);
    expect(slow.verdict).toBe("inconclusive");
    expect(worker(0).isStopped).toBe(true);
    await pass(0);
    expect(workers).toHaveLength(2);
    await ready(1);
    expect(worker(1).got).toEqual([expect.objectContaining({ text: "next" })]);
    await reply(1, "present");
    expect(next.verdict).toBe("present");
  });

  test("E16: a verdict that came in time but waits behind a busy main thread still counts", async () => {
    const { worker, ask, ready } = stage();
    const asked = ask("one");
    await pass(0);
    await ready(0);
    // Both are due in the same turn of the loop, and timers come first.
    setTimeout(() => worker(0).events.onReply("present"), 250);
    await pass(260);
    expect(asked.verdict).toBe("present");
    expect(worker(0).isStopped).toBe(false);
  });

  test("E16: a worker that crashes makes its own check inconclusive, no other", async () => {
    const { worker, ask, reply, ready } = stage();
    const [one, other] = [ask("one"), ask("other")];
    await pass(0);
    await ready(0);
    worker(0).events.onFailure();
    await pass(0);
    expect(one.verdict).toBe("inconclusive");
    await ready(1);
    await reply(1, "missing");
    expect(other.verdict).toBe("missing");
  });

  test("E16: a check beyond a thousand waiting ones is inconclusive at once", async () => {
    const { ask, ready } = stage();
    const asked = Array.from({ length: 1002 }, (_, index) => ask(String(index)));
    await pass(0);
    expect(asked.slice(0, 1000).every(({ verdict }) => verdict === undefined)).toBe(true);
    expect(asked.slice(1000).map(({ verdict }) => verdict)).toEqual(["inconclusive", "inconclusive"]);
    await ready(0);
    // The worker has the first one now, so one more may wait.
    const late = ask("late");
    await pass(0);
    expect(late.verdict).toBeUndefined();
  });
});

describe("cleaning up", () => {
  test("E20: the worker holds the process only while it works, and is stopped when idle", async () => {
    const { workers, worker, ask, reply, ready } = stage();
    ask("one");
    await pass(0);
    await ready(0);
    expect(worker(0).isHeld).toBe(true);
    await reply(0, "present");
    expect(worker(0).isHeld).toBe(false);
    await pass(9999);
    expect(worker(0).isStopped).toBe(false);
    ask("two");
    expect(worker(0).isHeld).toBe(true);
    await reply(0, "present");
    await pass(9999);
    expect(worker(0).isStopped).toBe(false);
    await pass(1);
    expect(worker(0).isStopped).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    ask("three");
    await pass(0);
    expect(workers).toHaveLength(2);
  });

  test("E16: closing settles everything as inconclusive and leaves nothing", async () => {
    const { matcher, workers, worker, ask, ready } = stage();
    const [one, other] = [ask("one"), ask("other")];
    await pass(0);
    await ready(0);
    matcher.close();
    matcher.close();
    const late = ask("late");
    await pass(0);
    expect([one, other, late].map(({ verdict }) => verdict)).toEqual(Array(3).fill("inconclusive"));
    expect(worker(0).isStopped).toBe(true);
    expect(workers).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("E16: closing while it starts starts nothing", async () => {
    const { matcher, workers, ask } = stage();
    const asked = ask("one");
    matcher.close();
    await pass(10_000);
    expect(asked.verdict).toBe("inconclusive");
    expect(workers).toHaveLength(0);
  });
});

describe("where no worker can be started", () => {
  const refuse = () => {
    throw new Error("blocked by policy");
  };

  test.each<[string, Parameters<typeof stage>[0]]>([
    ["it cannot be made", { startWorker: refuse }],
    ["its source is missing", { loadSource: () => Promise.reject(new Error("not bundled")) }],
  ])("E16: checks in process when %s", async (_, options) => {
    const { ask, matchHere, workers } = stage(options);
    const [one, other] = [ask("one"), ask("other")];
    await pass(0);
    expect([one.verdict, other.verdict]).toEqual(["present", "present"]);
    expect(ask("three").verdict).toBeUndefined();
    await pass(0);
    expect(matchHere).toHaveBeenCalledTimes(3);
    expect(matchHere).toHaveBeenCalledWith(expect.objectContaining({ text: "three", pattern: "p" }), 250);
    expect(workers).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("E16: checks in process when the worker fails before it is up", async () => {
    const { ask, matchHere, worker } = stage();
    const asked = ask("one");
    await pass(0);
    worker(0).events.onFailure();
    await pass(0);
    expect(asked.verdict).toBe("present");
    expect(worker(0).isStopped).toBe(true);
    expect(matchHere).toHaveBeenCalledTimes(1);
  });

  test("E16: checks in process when the worker is not up after 5 s", async () => {
    const { ask, worker } = stage();
    const asked = ask("one");
    await pass(4999);
    expect(asked.verdict).toBeUndefined();
    await pass(1);
    expect(asked.verdict).toBe("present");
    expect(worker(0).isStopped).toBe(true);
  });
});
