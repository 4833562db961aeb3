import { splitWords } from "../words.ts";
import { UNKNOWN } from "./about-secondwind.ts";
import { isChinese, writeChinese } from "./in-chinese.ts";
import { type Journey, ordinal, sayJourney, sayTrail } from "./journey.ts";
import { ALL_TEXTS, findTopic } from "./topics.ts";

interface Asked {
  readonly prompt: string;
  readonly journey: Journey;
  readonly random: () => number;
}

/** What the simulated model answers, as Markdown: what the request went through, then what it knows about the question. */
export function writeProse(asked: Asked): string {
  if (isChinese(asked.prompt)) return writeChinese(asked.prompt, asked.journey);
  return [sayJourney(asked.journey), bodyOf(asked), sayFooter(asked.journey)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The same in chunks, one for each token. A number of tokens cuts it, or reads on with whatever else there is to say. */
export function proseChunks(asked: Asked, tokens?: number): readonly string[] {
  const chunks = [...splitProse(writeProse(asked))];
  if (tokens === undefined) return chunks;
  for (let next = Math.floor(asked.random() * ALL_TEXTS.length); chunks.length < tokens; next += 1) {
    chunks.push(...splitProse(`\n\n${ALL_TEXTS[next % ALL_TEXTS.length]}`));
  }
  return chunks.slice(0, tokens);
}

/** What the model thinks, where it is asked to show that. */
export function reasoningChunks({ prompt, journey }: Asked): readonly string[] {
  const topic = findTopic(prompt).type === "unknown" ? "I know nothing about this, and say so." : "I know about this.";
  const way =
    journey.trail.count === 0
      ? "Nothing failed before this call → a plain answer is enough."
      : `${journey.trail.count} × failed before this call → that comes first.`;
  return splitWords(`${topic} ${way} 🌊`);
}

function bodyOf({ prompt, journey, random }: Asked): string {
  const pick = (texts: readonly string[]): string => texts[Math.floor(random() * texts.length)] ?? "";
  const found = findTopic(prompt);
  switch (found.type) {
    case "topic":
      return pick(found.texts);
    case "what-happened":
      return sayWhatHappened(journey);
    case "unknown":
      return pick(UNKNOWN).replace("QUESTION", () => quoted(prompt));
    default:
      return found satisfies never;
  }
}

const ADVICE =
  "The receipt of an answer lists every attempt with its time, its target and its error. `secondwind why` explains a single error.";

/** About the question before, unless this one has a story of its own. */
function sayWhatHappened({ trail, previous }: Journey): string {
  if (trail.count > 0) return ADVICE;
  if (previous === undefined) {
    return `Nothing yet: this is your first question, and it was answered on the first call.\n\n${ADVICE}`;
  }
  if (previous.count === 0) {
    return `Nothing special: your last question was answered on the first call, and so was this one.\n\n${ADVICE}`;
  }
  const calls = `Your last question was answered on the **${ordinal(previous.count + 1)} call**.`;
  return `${calls} ${sayTrail(previous)}\n\nYou saw one answer, because none of these calls had shown you a word yet. ${ADVICE}`;
}

const NAMES = {
  none: "Simulated",
  calm: "Calm",
  drizzle: "Drizzle",
  storm: "Storm",
  quota: "Quota",
  fault: "One fault",
} as const;
const SIGNS = { calm: "🌞", drizzle: "🌂", storm: "🌊", quota: "🔋", fault: "🎯" } as const;

/** The last line. Its characters take one to four bytes in UTF-8, so that errors in decoding show in every answer. */
function sayFooter({ trail, weather }: Journey): string {
  const sign = weather === undefined ? "🌊" : SIGNS[weather];
  const isCalm = weather === undefined || weather === "calm";
  const more =
    isCalm && trail.count === 0 ? "for trouble, ask `sim/overloaded-twice` or set the weather to storm" : "complete";
  return `${sign} *${NAMES[weather ?? "none"]} · answered on the ${ordinal(trail.count + 1)} call → ${more}.*`;
}

const MOST_QUOTED = 60;

/** The question, if it is short; without what Markdown would take for markup. */
function quoted(prompt: string): string {
  const text = prompt
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[*_`<>[\]#|~\\]/g, "")
    .trim();
  return text === "" || text.length > MOST_QUOTED ? "that" : `“${text}”`;
}

/** Words; what is written without spaces, in twos and threes. */
function splitProse(text: string): readonly string[] {
  return splitWords(text).flatMap((word) => (isChinese(word) ? (word.match(/\s*\S{1,3}\s*/gu) ?? []) : [word]));
}
