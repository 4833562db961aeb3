import { type Exception, type FaultCase, RETRIED, WHOLE } from "./fault-case.ts";

/** Only Anthropic's provider ends its answer at the terminal marker. */
const AT_ITS_END: Exception = {
  ...{ door: "ai-sdk", formats: ["OpenAI chat", "OpenAI responses", "Gemini"], isStreaming: true },
  words: "content, then error: network",
  because: "the AI SDK's provider ends the answer when the body ends, not at the terminal marker",
};

const BROKEN = "content, then error: stream_broken";

/** Faults 20 to 26, and 32: the bytes of the body. */
export const BODY_CASES: readonly FaultCase[] = [
  {
    fault: 20,
    title: "reset before the first byte, once",
    model: "fault-20-0@1",
    streamed: RETRIED,
    whole: RETRIED,
    isOfEvents: true,
  },
  { fault: 20, title: "reset before the first byte", model: "fault-20-0", streamed: "error: network, 3 calls" },
  {
    fault: 20,
    title: "reset in the middle",
    model: "fault-20",
    streamed: "content, then error: network",
    isOfEvents: true,
  },
  {
    fault: 20,
    title: "reset in the middle, once",
    model: "fault-20@1",
    streamed: "content, then error: network",
    whole: RETRIED,
  },
  {
    fault: 21,
    title: "clean end before the first byte, once",
    model: "fault-21-0@1",
    streamed: RETRIED,
    whole: RETRIED,
    isOfEvents: true,
  },
  {
    fault: 21,
    title: "clean end before the first byte",
    model: "fault-21-0",
    streamed: "error: stream_broken, 3 calls",
    whole: "error: stream_broken, 3 calls",
  },
  {
    fault: 21,
    title: "clean end in the middle",
    model: "fault-21",
    streamed: BROKEN,
    whole: "error: stream_broken, 3 calls",
    isOfEvents: true,
  },
  { fault: 21, title: "clean end in the middle, once", model: "fault-21@1", streamed: BROKEN, whole: RETRIED },
  {
    fault: 22,
    title: "content-length too short",
    model: "fault-22",
    streamed: BROKEN,
    whole: "error: stream_broken, 3 calls",
    isOfEvents: true,
  },
  {
    fault: 22,
    title: "content-length too long",
    model: "fault-22-long",
    streamed: WHOLE,
    whole: "error: network, 3 calls",
    except: [AT_ITS_END],
  },
  {
    fault: 23,
    title: "last chunk missing",
    model: "fault-23",
    streamed: WHOLE,
    whole: "error: network, 3 calls",
    isOfEvents: true,
    except: [AT_ITS_END],
  },
  { fault: 24, title: "gzip cut, once", model: "fault-24@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 24,
    title: "gzip cut before its first byte, once",
    model: "fault-24-0@1",
    streamed: RETRIED,
    whole: RETRIED,
  },
  { fault: 25, title: "gzip bomb of 2 MiB", model: "fault-25-2", streamed: WHOLE, whole: WHOLE },
  { fault: 26, title: "data after the terminal event", model: "fault-26", streamed: WHOLE, isOfEvents: true },
  { fault: 26, title: "data after the finish reason", model: "fault-26-early", streamed: WHOLE, isOfEvents: true },
  {
    fault: 32,
    title: "event of 1 MiB",
    model: "fault-32-1",
    streamed: WHOLE,
    whole: WHOLE,
    text: "a".repeat(1024 * 1024),
    isOfEvents: true,
  },
];
