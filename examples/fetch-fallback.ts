import OpenAI from "openai";
import { receiptOf, resilientFetch } from "secondwind/fetch";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY = "", OPENAI_API_KEY_2 = "" } = process.env;

const fetch = resilientFetch(
  { maxDelayMs: 60_000 },
  {
    // The second key when the first one is used up, then another endpoint that speaks the same format.
    keys: { [OPENAI_BASE_URL]: [OPENAI_API_KEY, OPENAI_API_KEY_2] },
    fallbacks: [{ baseURL: process.env.FALLBACK_BASE_URL ?? OPENAI_BASE_URL, model: "gpt-5.4-mini", keys: "key-3" }],
  },
);
const client = new OpenAI({ fetch, maxRetries: 0 });

const { data, response } = await client.chat.completions
  .create({ model: "gpt-5.4", messages: [{ role: "user", content: "Why is the sky blue?" }] })
  .withResponse();
console.log(receiptOf(response)?.targets.map(({ model, credential }) => `${model} ${credential}`.trim()));
console.log(data.choices[0]?.message.content);
