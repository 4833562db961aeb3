import { type FaultCase, RETRIED } from "./fault-case.ts";

/** Faults 42 to 51 but for 44 and 45: slow answers and misleading hints. */
export const TIME_CASES: readonly FaultCase[] = [
  {
    fault: 42,
    title: "stall before the first token, once",
    model: "fault-42-0@1",
    streamed: RETRIED,
    isQuiet: true,
    isOfEvents: true,
  },
  {
    fault: 42,
    title: "stall before the first token",
    model: "fault-42-0",
    streamed: "error: silent, 3 calls",
    isQuiet: true,
  },
  {
    fault: 42,
    title: "stall after 5 tokens",
    model: "fault-42",
    streamed: "content, then error: stalled",
    isQuiet: true,
    isOfEvents: true,
  },
  {
    fault: 42,
    title: "stall in the middle, once",
    model: "fault-42@1",
    streamed: "content, then error: stalled",
    whole: RETRIED,
    isQuiet: true,
  },
  {
    fault: 43,
    title: "one byte every 29 s, once",
    model: "fault-43@1",
    streamed: RETRIED,
    whole: RETRIED,
    isQuiet: true,
  },
  { fault: 43, title: "one byte every 29 s", model: "fault-43", streamed: "error: silent, 3 calls", isQuiet: true },
  { fault: 46, title: "hint: a date in the past", model: "fault-46@1", streamed: RETRIED },
  { fault: 47, title: "hint: -5", model: "fault-47@1", streamed: RETRIED },
  { fault: 48, title: "hint: NaN", model: "fault-48@1", streamed: RETRIED },
  { fault: 48, title: "hint: soon", model: "fault-48-soon@1", streamed: RETRIED },
  { fault: 49, title: "hint: 1e12", model: "fault-49@1", streamed: RETRIED },
  { fault: 50, title: "hints that contradict each other", model: "fault-50@1", streamed: "error: rate_limit" },
  {
    fault: 51,
    title: "hint: milliseconds for seconds",
    model: "fault-51@1",
    streamed: "error: rate_limit",
    limitMs: 6000,
  },
];
