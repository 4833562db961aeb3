/** Marks that only one provider leaves in its errors: header names, hosts, ids and wordings. The first match counts. */
const MARKS: readonly (readonly [provider: string, mark: RegExp])[] = [
  ["openrouter", /openrouter\.ai|x-openrouter|"provider_name"\s*:/i],
  ["azure", /openai\.azure\.com|apim-request-id|x-ms-region|azure openai/i],
  ["bedrock", /x-amzn-(?:requestid|errortype)|bedrock|\bThrottlingException\b/i],
  [
    "anthropic",
    /anthropic|\breq_01[a-z0-9]{8,}|"type"\s*:\s*"error"\s*,\s*"error"\s*:|\boverloaded_error\b|\bclaude-/i,
  ],
  ["google", /generativelanguage|googleapis\.com|\bRESOURCE_EXHAUSTED\b|\bgemini-|vertex ?ai/i],
  ["groq", /x-groq-|console\.groq\.com|\bgroq\b/i],
  ["deepseek", /deepseek/i],
  ["mistral", /mistral/i],
  ["xai", /api\.x\.ai|console\.x\.ai|\bgrok-/i],
  ["zhipu", /bigmodel\.cn|zhipu|\bglm-\d/i],
  ["minimax", /minimax|base_resp/i],
  ["moonshot", /moonshot|\bkimi-/i],
  ["openai", /openai|\bgpt-[34o]|x-ratelimit-(?:limit|remaining)-(?:requests|tokens)|\bo[134]-(?:mini|preview)\b/i],
];

/** Only so much is searched: a body may be a megabyte of a proxy's page. */
const MOST_CHARS = 20_000;

/** The provider that an error comes from; undefined: nothing in it shows that. */
export function recogniseProvider(text: string): string | undefined {
  const start = text.slice(0, MOST_CHARS);
  return MARKS.find(([, mark]) => mark.test(start))?.[0];
}

/** To choose by hand. */
export const PROVIDERS: readonly string[] = MARKS.map(([provider]) => provider).sort();
