import type { ContentVerdict } from "../../kernel/model/ports.ts";
import type { MatchRequest } from "./match-text.ts";
import type { MatchReply, PatternWorker, StartWorker } from "./start-worker.ts";

export interface GuardedMatcherOptions {
  /** For one check, from the moment when the worker gets it. */
  readonly timeLimitMs: number;
  readonly startWorker: StartWorker;
  readonly loadSource: () => Promise<string>;
  /** Used from then on when no worker can be started. */
  readonly matchHere: (request: MatchRequest, timeLimitMs: number) => Promise<ContentVerdict>;
}

interface GuardedMatcher {
  match(request: MatchRequest): Promise<ContentVerdict>;
  close(): void;
}

interface Job {
  readonly request: MatchRequest;
  readonly settle: (verdict: ContentVerdict | Promise<ContentVerdict>) => void;
}

/** A thread is up in some 30 ms; after this long it is given up. */
const START_LIMIT_MS = 5000;
/** An idle worker is stopped after this. */
const IDLE_MS = 10_000;
/** With more checks waiting than this, a new one is inconclusive at once. */
const MOST_WAITING = 1000;

/**
 * One worker, started at the first check and reused; one check at a time, the others wait. A check that takes too long is
 * stopped together with its worker, and the next one gets a new worker.
 */
export function createGuardedMatcher(options: GuardedMatcherOptions): GuardedMatcher {
  const waiting: Job[] = [];
  let current: Job | null = null;
  let worker: PatternWorker | null = null;
  let state: "none" | "starting" | "ready" | "unavailable" | "closed" = "none";
  let limit: ReturnType<typeof setTimeout> | undefined;

  function match(request: MatchRequest): Promise<ContentVerdict> {
    if (state === "closed" || waiting.length >= MOST_WAITING) return Promise.resolve("inconclusive");
    if (state === "unavailable") return options.matchHere(request, options.timeLimitMs);
    return new Promise((settle) => {
      waiting.push({ request, settle });
      advance();
    });
  }

  /** Gives the worker its next check, or starts it, or lets it rest. */
  function advance(): void {
    if (current !== null || state === "starting") return;
    if (state === "none") {
      if (waiting.length > 0) void start();
      return;
    }
    if (state !== "ready" || worker === null) return;

    clearTimeout(limit);
    current = waiting.shift() ?? null;
    worker.hold(current !== null);
    if (current === null) {
      limit = setTimeout(drop, IDLE_MS);
      // A browser's timer is a plain number.
      limit.unref?.();
      return;
    }
    worker.post(current.request);
    limit = setTimeout(overdue, options.timeLimitMs);
  }

  async function start(): Promise<void> {
    state = "starting";
    limit = setTimeout(giveUpOnWorkers, START_LIMIT_MS);
    try {
      const source = await options.loadSource();
      if (state === "starting") worker = options.startWorker(source, { onReply, onFailure });
    } catch {
      giveUpOnWorkers();
    }
  }

  function onReply(reply: MatchReply): void {
    if (reply !== "ready") return finish(reply);
    state = "ready";
    advance();
  }

  function onFailure(): void {
    if (state === "starting") giveUpOnWorkers();
    else breakOff();
  }

  // If our own thread was busy, the verdict may already wait in the event queue.
  function overdue(): void {
    limit = setTimeout(breakOff, 0);
  }

  function breakOff(): void {
    drop();
    finish("inconclusive");
  }

  function finish(verdict: ContentVerdict): void {
    const done = current;
    current = null;
    advance();
    done?.settle(verdict);
  }

  function drop(): void {
    clearTimeout(limit);
    worker?.stop();
    worker = null;
    state = "none";
  }

  function giveUpOnWorkers(): void {
    if (state !== "starting") return;
    drop();
    state = "unavailable";
    for (const { request, settle } of waiting.splice(0)) settle(options.matchHere(request, options.timeLimitMs));
  }

  function close(): void {
    drop();
    state = "closed";
    for (const { settle } of waiting.splice(0)) settle("inconclusive");
    finish("inconclusive");
  }

  return { match, close };
}
