import { type Exception, type FaultCase, RETRIED, WHOLE } from "./fault-case.ts";

const BROKEN = "content, then error: stream_broken";
const INVALID = "content, then error: invalid_content";

/** Its parser drops a last event that is not followed by a blank line, and takes a CR at the end for half of a CRLF. */
const UNFINISHED: Exception = {
  ...{ door: "ai-sdk", formats: ["OpenAI responses", "Anthropic", "Gemini"], words: BROKEN },
  because: "the AI SDK drops a last event without its blank line, which is the terminal event",
};
const REFUSED: Exception = {
  ...{ door: "ai-sdk", formats: ["Anthropic"], words: "error: stream_broken, 3 calls" },
  because: "the AI SDK's provider refuses an answer whose first event it can't read",
};
const CUT_BODY: Exception = {
  ...{ formats: ["Gemini"], isStreaming: true, words: BROKEN },
  because: "arguments are no text here, so the body ends inside them",
};
const CUT_WHOLE_BODY: Exception = {
  ...{ formats: ["Anthropic", "Gemini"], isStreaming: false, words: "error: stream_broken, 3 calls" },
  because: "arguments are no text here, so the body ends inside them",
};
const OPEN_CANDIDATE: readonly Exception[] = (["fetch", "gateway"] as const).map((door) => ({
  ...{ door, formats: ["Gemini"], words: BROKEN },
  because: "the index is the candidate's, and this candidate does not end",
}));

/** Faults 27 to 41 but for 32: server-sent events. */
export const EVENT_CASES: readonly FaultCase[] = [
  {
    fault: 27,
    title: "split inside UTF-8 characters",
    model: "fault-27",
    streamed: WHOLE,
    text: "Ça déjà → 風と海 ☂ 🌊 über naïve",
    isOfEvents: true,
  },
  { fault: 28, title: "split inside CRLF", model: "fault-28", streamed: WHOLE, isOfEvents: true },
  {
    fault: 29,
    title: "LF, CR, CRLF and BOM",
    model: "fault-29",
    streamed: WHOLE,
    isOfEvents: true,
    except: [{ ...UNFINISHED, formats: ["OpenAI responses"] }],
  },
  { fault: 29, title: "CR alone", model: "fault-29-cr", streamed: WHOLE, isOfEvents: true, except: [UNFINISHED] },
  { fault: 29, title: "BOM", model: "fault-29-bom", streamed: WHOLE, isOfEvents: true },
  {
    fault: 29,
    title: "last event without its blank line",
    model: "fault-29-open",
    streamed: WHOLE,
    isOfEvents: true,
    except: [UNFINISHED],
  },
  { fault: 30, title: "pings forever, once", model: "fault-30@1", streamed: RETRIED, isQuiet: true, isOfEvents: true },
  { fault: 30, title: "pings forever", model: "fault-30", streamed: "error: silent, 3 calls", isQuiet: true },
  {
    fault: 30,
    title: "pings forever after 3 tokens",
    model: "fault-30-3",
    streamed: "content, then error: stalled",
    isQuiet: true,
    isOfEvents: true,
  },
  { fault: 31, title: "data of several lines", model: "fault-31", streamed: WHOLE, isOfEvents: true },
  {
    fault: 31,
    title: "events with empty data",
    model: "fault-31-empty",
    streamed: WHOLE,
    isOfEvents: true,
    except: [REFUSED],
  },
  {
    fault: 33,
    title: "invalid JSON first, once",
    model: "fault-33-0@1",
    streamed: RETRIED,
    whole: RETRIED,
    isOfEvents: true,
  },
  {
    fault: 33,
    title: "invalid JSON first",
    model: "fault-33-0",
    streamed: "error: stream_broken, 3 calls",
    whole: "error: stream_broken, 3 calls",
  },
  { fault: 33, title: "invalid JSON after 2 tokens", model: "fault-33", streamed: BROKEN, isOfEvents: true },
  { fault: 34, title: "unknown event", model: "fault-34", streamed: WHOLE, isOfEvents: true },
  {
    fault: 34,
    title: "unknown event first",
    model: "fault-34-first",
    streamed: WHOLE,
    isOfEvents: true,
    except: [REFUSED],
  },
  { fault: 34, title: "unknown event after the end", model: "fault-34-end", streamed: WHOLE, isOfEvents: true },
  { fault: 35, title: "error event first, once", model: "fault-35@1", streamed: RETRIED, isOfEvents: true },
  {
    fault: 35,
    title: "error event first",
    model: "fault-35",
    streamed: "error: overloaded, 3 calls",
    isOfEvents: true,
  },
  {
    fault: 36,
    title: "error event after content",
    model: "fault-36",
    streamed: "content, then error: overloaded",
    isOfEvents: true,
  },
  { fault: 37, title: "terminal event missing", model: "fault-37", streamed: BROKEN, isOfEvents: true },
  { fault: 38, title: "terminal event twice", model: "fault-38", streamed: WHOLE, isOfEvents: true },
  {
    fault: 39,
    title: "tool arguments cut",
    model: "fault-39",
    streamed: INVALID,
    whole: "error: invalid_content, 3 calls",
    hasTool: true,
    isOfEvents: true,
    except: [CUT_BODY, CUT_WHOLE_BODY],
  },
  {
    fault: 39,
    title: "tool arguments cut, once",
    model: "fault-39@1",
    streamed: INVALID,
    whole: RETRIED,
    hasTool: true,
    except: [CUT_BODY],
  },
  {
    fault: 40,
    title: "block indexes out of order",
    model: "fault-40",
    streamed: WHOLE,
    hasTool: true,
    isOfEvents: true,
    except: OPEN_CANDIDATE,
  },
  { fault: 41, title: "no content, once", model: "fault-41@1", streamed: RETRIED, whole: RETRIED, isOfEvents: true },
  {
    fault: 41,
    title: "no content",
    model: "fault-41",
    streamed: "error: stream_broken, 3 calls",
    whole: "error: stream_broken, 3 calls",
  },
];
