import type { Endpoint } from "./endpoint.ts";

export interface CatalogueEntry extends Endpoint {
  /** The variable that moves it elsewhere: a proxy, a simulator. */
  readonly baseUrlVariable: string;
  /** What its own SDKs leave out of the base URL: added where the path has no version. */
  readonly version: string;
}

/** The providers that are known by name. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    name: "anthropic",
    title: "Anthropic",
    speech: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    version: "/v1",
    keyVariables: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-sonnet-4-6"],
    embeddings: [],
  },
  {
    name: "openai",
    title: "OpenAI",
    speech: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariable: "OPENAI_BASE_URL",
    version: "",
    keyVariables: ["OPENAI_API_KEY"],
    needsKey: true,
    models: ["gpt-5.6", "gpt-5.4", "gpt-5.4-mini", "gpt-4.1"],
    embeddings: ["text-embedding-3-small", "text-embedding-3-large"],
  },
  {
    name: "google",
    title: "Google",
    speech: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    baseUrlVariable: "GOOGLE_GEMINI_BASE_URL",
    version: "/v1beta",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    needsKey: true,
    models: ["gemini-pro-latest", "gemini-flash-latest", "gemini-2.5-pro", "gemini-2.5-flash"],
    embeddings: ["gemini-embedding-001"],
  },
  compatible("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
  compatible("groq", "Groq", "https://api.groq.com/openai/v1"),
  compatible("mistral", "Mistral", "https://api.mistral.ai/v1"),
  compatible("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
  compatible("xai", "xAI", "https://api.x.ai/v1"),
];

/** One of the many that speak OpenAI's chat format. Their models change by the week: none is listed. */
function compatible(name: string, title: string, baseUrl: string): CatalogueEntry {
  const prefix = name.toUpperCase();
  return {
    ...{ name, title, baseUrl, speech: "openai-chat", needsKey: true, version: "" },
    ...{ keyVariables: [`${prefix}_API_KEY`], baseUrlVariable: `${prefix}_BASE_URL`, models: [], embeddings: [] },
  };
}
