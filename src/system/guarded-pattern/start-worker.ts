import type { ContentVerdict } from "../../kernel/model/ports.ts";
import type { MatchRequest } from "./match-text.ts";

/** Once that the worker is up, then a verdict for each request. */
export type MatchReply = "ready" | ContentVerdict;

export interface PatternWorker {
  post(request: MatchRequest): void;
  /** Ends it at once, even in the middle of a check. No event follows. */
  stop(): void;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
}

export interface WorkerEvents {
  onReply(reply: MatchReply): void;
  /** It could not start, or it crashed. */
  onFailure(): void;
}

export type StartWorker = (source: string, events: WorkerEvents) => PatternWorker;

/** The part of a browser's `Worker` that we use; this package is compiled without DOM types. */
interface WebWorker {
  onmessage: ((event: { readonly data: MatchReply }) => void) | null;
  onerror: ((event: { preventDefault?(): void }) => void) | null;
  postMessage(request: MatchRequest): void;
  terminate(): void;
}

/** Gives Node's thread the globals of a browser's worker. */
const NODE_PRELUDE = `const { parentPort } = require("node:worker_threads");
globalThis.postMessage = (reply) => parentPort.postMessage(reply);
parentPort.on("message", (data) => globalThis.onmessage({ data }));
`;

/** Enough for any valid pattern; a runaway one ends the worker instead of the process. */
const NODE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** A thread on Node, a worker in a browser. Throws where neither exists. */
export function startWorker(source: string, events: WorkerEvents): PatternWorker {
  // Asked for at run time: a static import of a Node module would break the bundle for browsers.
  const threads = globalThis.process?.getBuiltinModule?.("node:worker_threads");
  return threads === undefined ? startWebWorker(source, events) : startNodeWorker(threads, source, events);
}

function startNodeWorker(
  { Worker }: typeof import("node:worker_threads"),
  source: string,
  events: WorkerEvents,
): PatternWorker {
  // Without the parent's arguments: a loader such as tsx would make the start twenty times as long.
  const worker = new Worker(NODE_PRELUDE + source, { eval: true, execArgv: [], resourceLimits: NODE_LIMITS });
  worker.on("message", events.onReply);
  worker.on("error", events.onFailure);
  worker.on("exit", events.onFailure);
  return {
    post: (request) => worker.postMessage(request),
    stop() {
      worker.removeAllListeners();
      // Without a listener an error on the way out would end the process.
      worker.on("error", () => {});
      void worker.terminate();
    },
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  };
}

function startWebWorker(source: string, events: WorkerEvents): PatternWorker {
  const { Worker } = globalThis as unknown as { readonly Worker: new (url: string) => WebWorker };
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url);
  worker.onmessage = ({ data }) => events.onReply(data);
  // Most browsers report here, too, that the page's security policy forbids workers.
  worker.onerror = (event) => {
    event.preventDefault?.();
    events.onFailure();
  };
  return {
    post: (request) => worker.postMessage(request),
    stop() {
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
      URL.revokeObjectURL(url);
    },
    hold() {},
  };
}
