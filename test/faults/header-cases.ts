import { type Exception, type FaultCase, RETRIED, WHOLE } from "./fault-case.ts";

/** The AI SDK reads events only, and finds none in the body: it reports an empty answer. */
const UNSEEN: Exception = {
  door: "ai-sdk",
  isStreaming: true,
  words: "error: stream_broken, 3 calls",
  because: "the AI SDK reads events only, and the body has none",
};

const NOT_FOLLOWED: Exception = {
  ...{ door: "gateway", words: "error: unknown" },
  because: "the gateway follows no redirect, so that a key stays where it belongs",
};

/** Faults 6 to 19: before the body. 7 and 12 are tested on their own. */
export const HEADER_CASES: readonly FaultCase[] = [
  { fault: 6, title: "reset before headers, once", model: "fault-6@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 6,
    title: "reset before headers",
    model: "fault-6",
    streamed: "error: network, 3 calls",
    whole: "error: network, 3 calls",
  },
  { fault: 8, title: "headers never sent, once", model: "fault-8@1", streamed: RETRIED, whole: RETRIED, isQuiet: true },
  {
    fault: 8,
    title: "headers never sent",
    model: "fault-8",
    streamed: "error: silent, 3 calls",
    whole: "error: silent, 3 calls",
    isQuiet: true,
  },
  { fault: 9, title: "headers one byte at a time", model: "fault-9", streamed: WHOLE, whole: WHOLE },
  { fault: 10, title: "102 and 103, then 200", model: "fault-10", streamed: WHOLE, whole: WHOLE },
  {
    ...{ fault: 11, title: "redirect, same origin", model: "fault-11", streamed: WHOLE, whole: WHOLE },
    except: [NOT_FOLLOWED],
  },
  {
    ...{ fault: 12, title: "redirect, other origin", model: "fault-12", streamed: "error: auth", whole: "error: auth" },
    except: [
      {
        ...{ door: "ai-sdk", formats: ["Anthropic", "Gemini"], words: WHOLE },
        because: "the platform's `fetch` sends their key to the other origin",
      },
      NOT_FOLLOWED,
    ],
  },
  { fault: 13, title: "headers of 128 KiB, once", model: "fault-13@1", streamed: RETRIED },
  { fault: 13, title: "headers of 128 KiB", model: "fault-13", streamed: "error: network, 3 calls" },
  { fault: 14, title: "two content-lengths, once", model: "fault-14@1", streamed: RETRIED },
  { fault: 14, title: "two content-lengths", model: "fault-14", streamed: "error: network, 3 calls" },
  { fault: 15, title: "wrong content-type", model: "fault-15", streamed: WHOLE, whole: WHOLE },
  { fault: 16, title: "HTML page with 502, once", model: "fault-16@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 16,
    title: "HTML page with 502",
    model: "fault-16",
    streamed: "error: server, 3 calls",
    whole: "error: server, 3 calls",
  },
  { fault: 16, title: "HTML page with 524, once", model: "fault-16-524@1", streamed: RETRIED },
  { fault: 16, title: "HTML page with 200, once", model: "fault-16-200@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 16,
    title: "HTML page with 200",
    model: "fault-16-200",
    streamed: "error: stream_broken, 3 calls",
    whole: "error: stream_broken, 3 calls",
  },
  { fault: 17, title: "empty 200, once", model: "fault-17@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 17,
    title: "empty 200",
    model: "fault-17",
    streamed: "error: stream_broken, 3 calls",
    whole: "error: stream_broken, 3 calls",
  },
  { fault: 18, title: "JSON error with 200, once", model: "fault-18@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 18,
    title: "JSON error with 200",
    model: "fault-18",
    streamed: "error: overloaded, 3 calls",
    whole: "error: overloaded, 3 calls",
    except: [UNSEEN],
  },
  { fault: 19, title: "204, once", model: "fault-19@1", streamed: RETRIED, whole: RETRIED },
  {
    fault: 19,
    title: "204",
    model: "fault-19",
    streamed: "error: stream_broken, 3 calls",
    whole: "error: stream_broken, 3 calls",
  },
];
