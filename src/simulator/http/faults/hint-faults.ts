import { type FaultScene, type FaultTable, refusalReply, reply } from "./fault.ts";

/** A 429 with an odd hint, as header and as Google's `RetryInfo` at once. */
function hinting(title: string, headers: Readonly<Record<string, string>>, retryDelay: string): FaultTable[number] {
  return {
    title,
    perform: (scene: FaultScene) =>
      reply(refusalReply(scene, { problem: "rate-limited", hint: { type: "odd", headers, retryDelay } })),
  };
}

/** Faults 46 to 51: hints that must not be believed. */
export const HINT_FAULTS: FaultTable = {
  46: hinting("HTTP date in the past", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, "-318000000s"),
  47: hinting("a hint of -5", { "retry-after": "-5" }, "-5s"),
  48: {
    title: "a hint that is no number",
    parameter: "`soon` instead of `NaN`",
    perform: (scene) => {
      const word = scene.parameter === "soon" ? "soon" : "NaN";
      const { perform } = hinting("", { "retry-after": word, "retry-after-ms": word }, word);
      return perform(scene);
    },
  },
  49: hinting("a hint of 1e12", { "retry-after": "1e12", "retry-after-ms": "1e12" }, "1e12s"),
  50: hinting(
    "headers that contradict each other",
    { "retry-after": "1", "retry-after-ms": "600000", "x-ratelimit-reset": "4102444800", "x-should-retry": "false" },
    "7s",
  ),
  51: hinting("milliseconds where seconds belong", { "retry-after": "20000" }, "20000s"),
};
