import { errorReply, type FaultContext, type FaultTable, reply } from "./fault.ts";

/** A 429 with this hint, both as headers and as Google's `RetryInfo`. */
function hinting(title: string, headers: Readonly<Record<string, string>>, retryDelay: string): FaultTable[number] {
  return {
    title,
    react: (context: FaultContext) =>
      reply(errorReply(context, { name: "rate-limited", hint: { type: "raw", headers, retryDelay } })),
  };
}

/** Faults 46 to 51: hints that a client must not follow. */
export const HINT_FAULTS: FaultTable = {
  46: hinting("HTTP date in the past", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, "-318000000s"),
  47: hinting("a hint of -5", { "retry-after": "-5" }, "-5s"),
  48: {
    title: "a hint that is not a number",
    parameter: "`soon` instead of `NaN`",
    react: (context) => {
      const word = context.parameter === "soon" ? "soon" : "NaN";
      const { react } = hinting("", { "retry-after": word, "retry-after-ms": word }, word);
      return react(context);
    },
  },
  49: hinting("a hint of 1e12", { "retry-after": "1e12", "retry-after-ms": "1e12" }, "1e12s"),
  50: hinting(
    "headers that contradict each other",
    { "retry-after": "1", "retry-after-ms": "600000", "x-ratelimit-reset": "4102444800", "x-should-retry": "false" },
    "7s",
  ),
  51: hinting("milliseconds in place of seconds", { "retry-after": "20000" }, "20000s"),
};
