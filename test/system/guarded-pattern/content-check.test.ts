import { resolveObjectURL } from "node:buffer";
import { Worker as NodeWorker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type ClosableContentCheck,
  type ContentCheckOptions,
  createContentCheck,
} from "../../../src/system/guarded-pattern/content-check.ts";
import { startWorker } from "../../../src/system/guarded-pattern/start-worker.ts";

const open: ClosableContentCheck[] = [];

// Generous: these tests are about the verdict, and the machine may be busy.
function contentCheck(options: ContentCheckOptions = { timeLimitMs: 10_000 }): ClosableContentCheck {
  const made = createContentCheck(options);
  open.push(made);
  return made;
}

afterEach(() => {
  for (const made of open.splice(0)) made.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Slow even in linear time: hundreds of states at once for each of a million characters that never repeat themselves. */
const SLOW_PATTERN = "[ab]*a[ab]{500}[ac]b$";
const SLOW_TEXT = `${restlessText(1_000_000)}bb`;

function restlessText(length: number): string {
  let state = 1;
  const letters = Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 1 ? "a" : "b";
  });
  return letters.join("");
}

describe("plain text", () => {
  test("E16: is searched at once, without a worker", () => {
    const startWorker = vi.fn();
    const check = contentCheck({ startWorker });
    expect(check("say ```json {}", { text: "```json" })).toBe("present");
    expect(check("say nothing", { text: "```json" })).toBe("missing");
    expect(check("anything", { text: "" })).toBe("present");
    expect(check(`${"x".repeat(3_000_000)}!`, { text: "!" })).toBe("present");
    expect(startWorker).not.toHaveBeenCalled();
  });

  test("E16: a zero-length answer always lacks the required content", () => {
    const check = contentCheck();
    expect(check("", { text: "" })).toBe("missing");
    expect(check("", { pattern: ".*" })).toBe("missing");
  });
});

describe("patterns", () => {
  test.each([
    ['\\{"status":\\s*"\\w+"\\}', undefined, 'so: {"status":  "ok"}', "present"],
    ['\\{"status":\\s*"\\w+"\\}', undefined, '{"status": 5}', "missing"],
    ["^done$", undefined, "well\nDONE\nyes", "missing"],
    ["^done$", "im", "well\nDONE\nyes", "present"],
    ["a.b", undefined, "a\nb", "missing"],
    ["a.b", "s", "a\nb", "present"],
    ["\\u00e9t\\u00e9", "gu", "l'été", "present"],
    ["^.$", "u", "😀", "present"],
    ["(", undefined, "an invalid one is not the answer's fault", "inconclusive"],
    ["(?=x)", undefined, "x", "inconclusive"],
  ])("E16: %s with flags %s on %j: %s", async (pattern, flags, text, verdict) => {
    const check = contentCheck();
    await expect(check(text, flags === undefined ? { pattern } : { pattern, flags })).resolves.toBe(verdict);
  });

  test("E16: a pattern that would hang a backtracking engine is over quickly", async () => {
    const check = contentCheck();
    await check("warm up", { pattern: "a" });
    const startMs = performance.now();
    await expect(check(`${"a".repeat(50_000)}b`, { pattern: "(a+)+$" })).resolves.toBe("missing");
    expect(performance.now() - startMs).toBeLessThan(3000);
  });

  test("E16: a check that takes too long is inconclusive soon after the limit, and the next one still works", async () => {
    const check = contentCheck({ timeLimitMs: 200 });
    // Start-up is not counted; here it is over before the clock starts.
    await check("warm up", { pattern: "a" });
    const startMs = performance.now();
    const slow = check(SLOW_TEXT, { pattern: SLOW_PATTERN });
    // The main thread stays free meanwhile.
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    await expect(slow).resolves.toBe("inconclusive");
    clearInterval(ticking);
    const tookMs = performance.now() - startMs;
    expect(tookMs).toBeGreaterThanOrEqual(199);
    expect(tookMs).toBeLessThan(2000);
    expect(turns).toBeGreaterThan(5);
    await expect(check("42", { pattern: "\\d" })).resolves.toBe("present");
  });

  test("E16: many checks at a time each get their own verdict", async () => {
    const check = contentCheck();
    const verdicts = await Promise.all(Array.from({ length: 200 }, (_, n) => check(`n=${n};`, { pattern: "=\\d*7;" })));
    expect(verdicts.filter((verdict) => verdict === "present")).toHaveLength(20);
    expect(verdicts.indexOf("present")).toBe(7);
  });

  test("E16: more than 32 different patterns work", async () => {
    const check = contentCheck();
    for (let n = 0; n < 40; n++) await expect(check(`n${n}.`, { pattern: `n${n}\\.` })).resolves.toBe("present");
  });

  test("E16: an answer of more than two million characters is inconclusive", () => {
    expect(contentCheck()("x".repeat(2_000_001), { pattern: "x" })).toBe("inconclusive");
  });

  test("E16: a worker that runs out of memory or dies fails its own check only", async () => {
    const check = contentCheck({
      timeLimitMs: 10_000,
      startWorker: (source, events) =>
        startWorker(
          `${source};const real = onmessage; onmessage = (e) => { if (e.data.text === "die") process.exit(1); real(e); }`,
          events,
        ),
    });
    await expect(check("die", { pattern: "a" })).resolves.toBe("inconclusive");
    await expect(check("a", { pattern: "a" })).resolves.toBe("present");
  });

  test.each([
    [{ timeLimitMs: 0 }, "options.timeLimitMs must be a whole number from 1 to 2147483647; got 0"],
    [{ timeLimitMs: 1.5 }, "options.timeLimitMs must be a whole number from 1 to 2147483647; got 1.5"],
    [{ timeLimitMs: 2 ** 31 }, "options.timeLimitMs must be a whole number from 1 to 2147483647; got 2147483648"],
  ])("E16: rejects the options %o", (options, message) => {
    expect(() => createContentCheck(options)).toThrow(message);
  });
});

describe("in a page", () => {
  /** A browser's `Worker`, over a thread, that loads its script from a blob URL. */
  class BlobWorker {
    static made = 0;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onerror: ((event: object) => void) | null = null;
    readonly #waiting: unknown[] = [];
    #thread: NodeWorker | undefined;

    constructor(url: string) {
      BlobWorker.made++;
      void this.#load(url);
    }
    async #load(url: string): Promise<void> {
      const source = await (resolveObjectURL(url) as Blob).text();
      const prelude = `const { parentPort } = require("node:worker_threads");
        globalThis.postMessage = (data) => parentPort.postMessage(data);
        parentPort.on("message", (data) => onmessage({ data }));`;
      this.#thread = new NodeWorker(prelude + source, { eval: true, execArgv: [] });
      this.#thread.on("message", (data) => this.onmessage?.({ data }));
      for (const data of this.#waiting) this.#thread.postMessage(data);
    }
    postMessage(data: unknown): void {
      if (this.#thread === undefined) this.#waiting.push(data);
      else this.#thread.postMessage(data);
    }
    terminate(): void {
      void this.#thread?.terminate();
    }
  }

  test("E16: the same source runs in a worker from a blob", async () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.stubGlobal("Worker", BlobWorker);
    const revoke = vi.spyOn(URL, "revokeObjectURL");
    const check = contentCheck();
    await expect(check("n 42", { pattern: "\\d+" })).resolves.toBe("present");
    await expect(check("n", { pattern: "\\d+" })).resolves.toBe("missing");
    expect(BlobWorker.made).toBe(1);
    check.close();
    expect(revoke).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["does not know workers", undefined],
    [
      "forbids them at once",
      class {
        constructor() {
          throw new Error("SecurityError");
        }
      },
    ],
    [
      "forbids them a moment later",
      class {
        onerror: ((event: object) => void) | null = null;
        constructor() {
          setTimeout(() => this.onerror?.({ preventDefault() {} }), 1);
        }
        terminate(): void {}
      },
    ],
  ])("E16: where the page %s, the pattern is checked in process within the same limit", async (_, Worker) => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.stubGlobal("Worker", Worker);
    const check = contentCheck({ timeLimitMs: 250 });
    await expect(check("n 42", { pattern: "\\d+" })).resolves.toBe("present");
    await expect(check("n", { pattern: "\\d+" })).resolves.toBe("missing");
    await expect(check("n", { pattern: "(" })).resolves.toBe("inconclusive");
    const startMs = performance.now();
    await expect(check(SLOW_TEXT, { pattern: SLOW_PATTERN })).resolves.toBe("inconclusive");
    expect(performance.now() - startMs).toBeLessThan(1000);
  });
});
