import * as about from "./about-secondwind.ts";
import * as trouble from "./about-trouble.ts";

/** What the simulated model knows something about. */
interface Topic {
  readonly asked: RegExp;
  /** Several versions: the seed chooses one. */
  readonly texts: readonly string[];
}

/** In order of precedence: the more special first. */
const TOPICS: readonly Topic[] = [
  { asked: /\bhaiku\b.*(?:429|limit)|(?:429|limit).*\bhaiku\b/i, texts: [trouble.HAIKU_LIMIT] },
  { asked: /\bhaiku\b.*(?:stall|timeout|silen|stream)/i, texts: [trouble.HAIKU_SILENCE] },
  { asked: /\bhaiku\b.*50\d/i, texts: [trouble.HAIKU_OUTAGE] },
  {
    asked: /\b(?:haiku|poem|verse|rhyme)\b/i,
    texts: [trouble.HAIKU_OUTAGE, trouble.HAIKU_LIMIT, trouble.HAIKU_SILENCE],
  },
  { asked: /\bjitter/i, texts: [trouble.JITTER] },
  { asked: /\bback-?\s?off\b/i, texts: [trouble.BACKOFF] },
  { asked: /circuit|\bbreaker/i, texts: [trouble.BREAKER] },
  { asked: /\b(?:quota|credit|billing|402|insufficient)\b/i, texts: [trouble.QUOTA] },
  { asked: /rate.?limit|\b429\b|too many requests|throttl/i, texts: [trouble.RATE_LIMIT] },
  { asked: /\b(?:stream(?:ing|s)?|commit point|half an answer|stall(?:s|ed)?|cut off)\b/i, texts: [trouble.STREAMING] },
  { asked: /\b5\d\d\b|overload|outage|unavailable|\bdown\b/i, texts: [trouble.OUTAGE] },
  { asked: /\bsky\b.*\bblue\b/i, texts: [about.SKY] },
  { asked: /\b(?:code|snippet|function|typescript|javascript|program)\b/i, texts: [about.CODE] },
  { asked: /\b(?:table|compare|presets?|polic(?:y|ies))\b/i, texts: [about.PRESETS] },
  { asked: /\bretr(?:y|ies|ied|ying)\b|try again/i, texts: [trouble.RETRIES] },
  { asked: /\b(?:doors?|commands?|cli|terminal|library|gateway|tavern|rpc|install|embed)\b/i, texts: [about.DOORS] },
  { asked: /\b(?:weather|storm|drizzle|calm)\b/i, texts: [about.WEATHER] },
  { asked: /\b(?:list|bullets?|steps?|features?)\b/i, texts: [about.LIST] },
  {
    asked: /second ?wind|who are you|what (?:is|are) (?:this|you)|what can you do|\babout\b.*\byou/i,
    texts: [about.SELF],
  },
  { asked: /^\W*(?:hi|hello|hey|hallo|good (?:morning|day|evening)|help|start|test|ping)\b/i, texts: about.GREETINGS },
  { asked: /\bthank|\bthanks\b|\bgreat\b|\bnice\b|\bcool\b/i, texts: about.THANKS },
];

/** The question is what happened on the way. */
const ASKS_WHAT_HAPPENED =
  /what (?:just |has )?happened|went wrong|go wrong|what (?:was|is) (?:going on|that)|how many (?:calls|attempts)/i;

export type Found =
  | { readonly type: "topic"; readonly texts: readonly string[] }
  | { readonly type: "what-happened" }
  | { readonly type: "unknown" };

export function findTopic(prompt: string): Found {
  if (ASKS_WHAT_HAPPENED.test(prompt)) return { type: "what-happened" };
  const topic = TOPICS.find(({ asked }) => asked.test(prompt));
  return topic === undefined ? { type: "unknown" } : { type: "topic", texts: topic.texts };
}

/** Everything there is to read, for answers of a given length. */
export const ALL_TEXTS: readonly string[] = [
  about.SELF,
  trouble.RETRIES,
  trouble.BACKOFF,
  trouble.JITTER,
  trouble.RATE_LIMIT,
  trouble.QUOTA,
  trouble.BREAKER,
  trouble.STREAMING,
  trouble.OUTAGE,
  about.DOORS,
  about.PRESETS,
  about.CODE,
];
