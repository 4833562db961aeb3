import type { ErrorName } from "../dialects/errors.ts";
import type { Behaviour, TimedBehaviour } from "./behaviour.ts";

const DEFAULT_TOKENS = 5;
const DEFAULT_HINT_MS = 2000;

const ERRORS: readonly ErrorName[] = [
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

/** Behaviours that take a number, as in `stall-3` (tokens) or `rate-limited-1500` (milliseconds). */
const NUMBERED: Readonly<Record<string, (number?: number) => Behaviour>> = {
  ok: (tokens) => ({ type: "answer", content: "words", tokens }),
  stall: (tokens = DEFAULT_TOKENS) => ({ type: "stall", tokens }),
  cut: (tokens = DEFAULT_TOKENS) => ({ type: "cut", tokens }),
  overloaded: (hintMs) => ({ type: "error", name: "overloaded", hintMs }),
  "rate-limited": (hintMs = DEFAULT_HINT_MS) => ({ type: "error", name: "rate-limited", hintMs }),
};

const PLAIN: Readonly<Record<string, Behaviour>> = {
  echo: { type: "answer", content: "echo" },
  empty: { type: "answer", content: "empty" },
  silent: { type: "stall", tokens: 0 },
  ...Object.fromEntries(ERRORS.map((name) => [name, { type: "error", name }])),
  leak: { type: "leak", as: "error" },
  "leak-answer": { type: "leak", as: "answer" },
};

/** Names that spell out the number of times. */
const ALIASES: Readonly<Record<string, string>> = {
  "overloaded-twice": "overloaded@2",
  "rate-limited-once": "rate-limited@1",
};

/** All behaviours by name. `fault-<n>` stands for every fault of the catalogue. */
export const BEHAVIOUR_NAMES: readonly string[] = [
  ...Object.keys(NUMBERED),
  ...Object.keys(PLAIN),
  ...Object.keys(ALIASES),
  "fault-<n>",
];

/**
 * Parses `name[-parameter][@times]`, as in `ok`, `stall-3`, `overloaded@2`, `fault-20-137@1`. Ignores everything up to the
 * last slash, so `sim/ok` and `models/ok` work too. Undefined: not a behaviour.
 */
export function parseBehaviour(given: string): TimedBehaviour | undefined {
  const name = given.slice(given.lastIndexOf("/") + 1);
  const found = /^([a-z][a-z0-9-]*)(?:@([1-9]\d{0,5}))?$/.exec(ALIASES[name] ?? name);
  if (found === null) return undefined;
  const [, word = "", times] = found;
  const behaviour = behaviourOf(word);
  return behaviour && { name, behaviour, times: times === undefined ? undefined : Number(times) };
}

function behaviourOf(word: string): Behaviour | undefined {
  const [, number, parameter] = /^fault-(\d{1,3})(?:-([a-z0-9]+))?$/.exec(word) ?? [];
  if (number !== undefined) return { type: "fault", number: Number(number), parameter };
  if (Object.hasOwn(PLAIN, word)) return PLAIN[word];
  const [, name = word, amount] = /^(.+)-(\d{1,6})$/.exec(word) ?? [];
  if (!Object.hasOwn(NUMBERED, name)) return undefined;
  return NUMBERED[name]?.(amount === undefined ? undefined : Number(amount));
}
