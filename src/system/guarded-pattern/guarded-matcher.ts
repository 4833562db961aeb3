import type { ContentVerdict } from "../../kernel/model/ports.ts";
import type { MatchReply, MatchRequest } from "./match-message.ts";
import type { PatternWorker, StartWorker } from "./start-worker.ts";

export interface GuardedMatcherOptions {
  /** For one check, from the moment when the worker gets it. */
  readonly timeLimitMs: number;
  /** A worker with nothing to do is stopped after this. */
  readonly idleMs: number;
  /** More checks than this waiting: inconclusive at once. */
  readonly mostWaiting: number;
  readonly startWorker: StartWorker;
  readonly loadSource: () => Promise<string>;
  /** Used from then on when no worker can be had. */
  readonly matchHere: (request: Omit<MatchRequest, "id">, timeLimitMs: number) => Promise<ContentVerdict>;
}

export interface GuardedMatcher {
  match(request: Omit<MatchRequest, "id">): Promise<ContentVerdict>;
  close(): void;
}

interface Job {
  readonly request: MatchRequest;
  readonly settle: (verdict: ContentVerdict | Promise<ContentVerdict>) => void;
}

/** A thread is up in some 30 ms; one that takes this long is taken as not to be had. */
const START_LIMIT_MS = 5000;

/**
 * One worker, started at the first check and kept; one check at a time, the others wait. A check that takes too long ends
 * with its worker, and the next one gets a new worker.
 */
export function createGuardedMatcher(options: GuardedMatcherOptions): GuardedMatcher {
  const waiting: Job[] = [];
  let current: Job | null = null;
  let worker: PatternWorker | null = null;
  let state: "none" | "starting" | "ready" | "not-to-be-had" | "closed" = "none";
  let limit: ReturnType<typeof setTimeout> | undefined;
  let nextId = 1;

  function match(request: Omit<MatchRequest, "id">): Promise<ContentVerdict> {
    if (state === "closed" || waiting.length >= options.mostWaiting) return Promise.resolve("inconclusive");
    if (state === "not-to-be-had") return options.matchHere(request, options.timeLimitMs);
    return new Promise((settle) => {
      waiting.push({ request: { ...request, id: nextId++ }, settle });
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
      limit = setTimeout(drop, options.idleMs);
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
    if ("ready" in reply) {
      state = "ready";
      advance();
      return;
    }
    if (current?.request.id === reply.id) finish(reply.verdict);
  }

  function onFailure(): void {
    if (state === "starting") giveUpOnWorkers();
    else breakOff();
  }

  // If our own thread was busy, the verdict may be there already and only wait for its turn.
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
    state = "not-to-be-had";
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
