import type { Problem } from "../dialects/dialect.ts";
import type { Behaviour, TimedBehaviour } from "./behaviour.ts";

const DEFAULT_TOKENS = 5;
const DEFAULT_HINT_MS = 2000;

/** Names that say the number of times in words. */
const ALIASES: Readonly<Record<string, string>> = {
  "overloaded-twice": "overloaded@2",
  "rate-limited-once": "rate-limited@1",
};

const PLAIN_REFUSALS: readonly Problem[] = [
  "down",
  "overflow",
  "quota",
  "server-error",
  "bad-gateway",
  "timeout",
  "unauthorized",
  "forbidden",
  "not-found",
  "bad-request",
];

/** For help texts and error messages. */
export const BEHAVIOUR_NAMES = [
  "ok",
  "echo",
  "empty",
  "silent",
  "stall",
  "cut",
  "overloaded",
  "overloaded-twice",
  "rate-limited",
  "rate-limited-once",
  ...PLAIN_REFUSALS,
  "leak",
  "leak-answer",
  "fault-<n>",
] as const;

/**
 * Reads `name[-parameter][@times]`, as in `ok`, `stall-3`, `overloaded@2`, `fault-20-137@1`. Whatever stands before the
 * last slash is left out, so that `sim/ok` and `models/ok` work too. undefined: this names no behaviour.
 */
export function parseBehaviour(given: string): TimedBehaviour | undefined {
  const name = given.slice(given.lastIndexOf("/") + 1);
  const found = /^([a-z][a-z0-9-]*)(?:@([1-9]\d{0,5}))?$/.exec(ALIASES[name] ?? name);
  if (found === null) return undefined;
  const [, word = "", times] = found;
  const behaviour = faultOf(word) ?? behaviourOf(word) ?? numbered(word);
  if (behaviour === undefined) return undefined;
  return { name, behaviour, ...(times !== undefined && { times: Number(times) }) };
}

function faultOf(word: string): Behaviour | undefined {
  const found = /^fault-(\d{1,3})(?:-([a-z0-9]+))?$/.exec(word);
  if (found === null) return undefined;
  const [, number, parameter] = found;
  return { type: "fault", number: Number(number), ...(parameter !== undefined && { parameter }) };
}

/** `ok-500`, `stall-3`, `cut-3`, `rate-limited-1500`: a number of tokens, or of milliseconds. */
function numbered(word: string): Behaviour | undefined {
  const found = /^(ok|stall|cut|rate-limited|overloaded)-(\d{1,6})$/.exec(word);
  return found === null ? undefined : behaviourOf(found[1] ?? "", Number(found[2]));
}

function behaviourOf(word: string, number?: number): Behaviour | undefined {
  const plain = PLAIN_REFUSALS.find((problem) => problem === word);
  if (plain !== undefined) return { type: "refuse", problem: plain };
  switch (word) {
    case "ok":
      return { type: "answer", say: "words", ...(number !== undefined && { tokens: number }) };
    case "echo":
      return { type: "answer", say: "echo" };
    case "leak":
      return { type: "leak", how: "refusal" };
    case "leak-answer":
      return { type: "leak", how: "answer" };
    case "empty":
      return { type: "answer", say: "nothing" };
    case "silent":
      return { type: "stall", tokens: 0 };
    case "stall":
    case "cut":
      return { type: word, tokens: number ?? DEFAULT_TOKENS };
    case "rate-limited":
      return { type: "refuse", problem: word, hintMs: number ?? DEFAULT_HINT_MS };
    case "overloaded":
      return { type: "refuse", problem: word, ...(number !== undefined && { hintMs: number }) };
    default:
      return undefined;
  }
}
