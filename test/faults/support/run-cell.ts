import type { FaultCase } from "../fault-case.ts";
import { type End, type Expected, type Outcome, outcomeOf } from "./outcome.ts";
import type { Place } from "./places.ts";
import { type Ask, type Probe, Sight } from "./probe.ts";

export const ANSWER = "wind → 風 and 🌊, word by word, until the last one";
const ASK_TOOL = 'Please call get_weather {"city":"Zürich","days":2} now';
const TOOL_INPUT = { city: "Zürich", days: 2 };

export interface Cell {
  readonly probe: Probe;
  readonly fault: FaultCase;
  readonly place: Place;
  readonly isStreaming: boolean;
  readonly maxRetries: number | undefined;
  /** How long a person waits before calling it hanging. */
  readonly limitMs: number;
}

let cellCount = 0;

/** One question through one client, and what a person sees of the answer. */
export async function runCell({ probe, fault, place, isStreaming, maxRetries, limitMs }: Cell): Promise<Outcome> {
  // A key for each cell: the simulator counts requests by model and key.
  cellCount += 1;
  let calls = 0;
  const { urls, fetch = globalThis.fetch, isWarm, lookup } = place;
  const controller = new AbortController();
  const ask: Ask = {
    ...{ urls, isStreaming, maxRetries, signal: controller.signal, isPlatform: place.fetch === undefined },
    ...(lookup !== undefined && { lookup }),
    onCall: () => {
      calls += 1;
    },
    apiKey: `cell-${cellCount}`,
    model: fault.model,
    prompt: fault.hasTool === true ? ASK_TOOL : `echo: ${ANSWER}`,
    hasTool: fault.hasTool === true,
    fetch: (input, init) => {
      // A redirect that is followed is part of its call.
      if (!String(input instanceof Request ? input.url : input).includes("/_sim/landed")) calls += 1;
      return fetch(input, init);
    },
  };
  if (isWarm === true) await endOf(probe(ask, new Sight()), limitMs);
  calls = 0;
  const sight = new Sight();
  const end = await endOf(probe(ask, sight), limitMs);
  controller.abort();
  return outcomeOf(sight, end, expectedOf(fault), calls);
}

function expectedOf({ hasTool, text = ANSWER }: FaultCase): Expected {
  return hasTool === true ? { toolInput: TOOL_INPUT } : { text };
}

/** How it ended, or that it has not within the time. */
async function endOf(asking: Promise<void>, limitMs: number): Promise<End> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<End>((resolve) => {
    timer = setTimeout(resolve, limitMs, { type: "hung" });
  });
  const ended = asking.then(
    (): End => ({ type: "done" }),
    (error: unknown): End => ({ type: "error", error }),
  );
  const end = await Promise.race([ended, hung]);
  clearTimeout(timer);
  return end;
}
