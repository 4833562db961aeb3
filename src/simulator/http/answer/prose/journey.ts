import type { Weather } from "../../behaviour/weather.ts";

/** A call that failed, in words that follow "was" or stand alone: "refused with HTTP 529 (overloaded)". */
export interface FailedCall {
  readonly model: string;
  /** Number of the client's key, where its keys are numbered. */
  readonly key: number | undefined;
  readonly what: string;
}

/** The calls for one question that have failed. */
export interface Trail {
  /** Oldest first; of many, the last. */
  readonly calls: readonly FailedCall[];
  /** How many in all. */
  readonly count: number;
}

export const NO_TRAIL: Trail = { calls: [], count: 0 };

/** What a request went through before it was answered. */
export interface Journey {
  readonly model: string;
  readonly key: number | undefined;
  readonly trail: Trail;
  /** The same for the question that the client had answered before this one; undefined: there was none. */
  readonly previous: Trail | undefined;
  /** Undefined: the model's name or a scenario decided what happens. */
  readonly weather: Weather | "fault" | undefined;
}

/** Where nothing is known. */
export const NO_JOURNEY: Journey = {
  model: "",
  key: undefined,
  trail: NO_TRAIL,
  previous: undefined,
  weather: undefined,
};

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const NUMBERS = ["", "one", "two", "three"];
/** More than this is a table. */
const MOST_IN_A_SENTENCE = 3;

/** The failures before this answer as Markdown, one paragraph or a table. Empty: there were none. */
export function sayJourney(journey: Journey): string {
  const { trail } = journey;
  if (trail.count === 0) return "";
  const opening = `This is the **${ordinal(trail.count + 1)} call** for your question.`;
  const again = trail.count === 1 ? "So it was asked again" : "Each time it was asked again";
  const gap = trail.count > MOST_IN_A_SENTENCE ? "\n\n" : " ";
  return `${opening} ${sayTrail(trail)}${gap}${saySwitch(journey) ?? again}, and this answer got through.`;
}

/** "The first was refused with HTTP 503 …, and the second …", or a table. */
export function sayTrail({ calls, count }: Trail): string {
  if (count > MOST_IN_A_SENTENCE) return `These failed before it:\n\n${tableOf({ calls, count })}`;
  const [first] = calls;
  if (count > 1 && calls.every(({ what }) => what === first?.what))
    return `The first ${NUMBERS[count]} were ${first?.what}.`;
  const said = calls.map((call, n) => `the ${ordinal(n + 1)} was ${call.what}`);
  const all = said.length < 2 ? said.join("") : `${said.slice(0, -1).join(", ")}, and ${said.at(-1)}`;
  return `${capitalised(all)}.`;
}

function tableOf({ calls, count }: Trail): string {
  const first = count - calls.length;
  const rows = calls.map(({ model, what }, n) => `| ${first + n + 1} | ${model} | ${what} |`);
  return ["| call | model | what happened |", "| ---: | --- | --- |", ...rows].join("\n");
}

/** A change of model or key since the last failure. */
function saySwitch({ model, key, trail }: Journey): string | undefined {
  const last = trail.calls.at(-1);
  if (last === undefined) return undefined;
  if (last.model !== model) return `Then \`${model}\` was asked instead of \`${last.model}\``;
  return last.key === key || key === undefined ? undefined : `Then key ${key} was used instead of key ${last.key}`;
}

export function ordinal(n: number): string {
  const isTeen = n % 100 > 10 && n % 100 < 14;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return ORDINALS[n - 1] ?? `${n}${ending}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
