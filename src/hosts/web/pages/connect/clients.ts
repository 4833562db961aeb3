/** The applications that the page has a set-up for, in its order. */
export const CLIENT_NAMES = [
  "environment",
  "openai",
  "anthropic",
  "google",
  "ai-sdk",
  "langchain",
  "claude-code",
  "codex",
  "aider",
  "opencode",
  "gemini-cli",
  "sillytavern",
  "curl",
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** Names of products are the same in every language. `environment` is none: the texts name it. */
export const PRODUCTS: Readonly<Record<Exclude<ClientName, "environment">, string>> = {
  openai: "OpenAI SDK",
  anthropic: "Anthropic SDK",
  google: "Google SDK",
  "ai-sdk": "AI SDK",
  langchain: "LangChain",
  "claude-code": "Claude Code",
  codex: "Codex",
  aider: "Aider",
  opencode: "opencode",
  "gemini-cli": "Gemini CLI",
  sillytavern: "SillyTavern",
  curl: "curl",
};

/** A text to copy. */
export interface Snippet {
  /** A language, or the file it belongs into: its ending names the language. */
  readonly title: string;
  readonly text: string;
}

/** The set-ups of an application for a server at this origin. docs/gateway.md shows the same; a test compares and runs them. */
export function snippetsFor(client: ClientName, origin: string): readonly [Snippet, ...Snippet[]] {
  return SNIPPETS[client](origin);
}

const SNIPPETS: Readonly<Record<ClientName, (origin: string) => readonly [Snippet, ...Snippet[]]>> = {
  environment: (origin) => [
    {
      title: "Shell",
      text: `export OPENAI_BASE_URL=${origin}/v1
export ANTHROPIC_BASE_URL=${origin}
export GOOGLE_GEMINI_BASE_URL=${origin}`,
    },
  ],
  openai: (origin) => [
    {
      title: "Python",
      text: `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", max_retries=0)`,
    },
    {
      title: "TypeScript",
      text: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", maxRetries: 0 });`,
    },
  ],
  anthropic: (origin) => [
    {
      title: "Python",
      text: `from anthropic import Anthropic

client = Anthropic(base_url="${origin}", max_retries=0)`,
    },
    {
      title: "TypeScript",
      text: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${origin}", maxRetries: 0 });`,
    },
  ],
  google: (origin) => [
    {
      title: "Python",
      text: `from google import genai

client = genai.Client(http_options={"base_url": "${origin}"})`,
    },
    {
      title: "TypeScript",
      text: `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({
  apiKey: process.env.GEMINI_API_KEY,
  httpOptions: { baseUrl: "${origin}" },
});`,
    },
  ],
  "ai-sdk": (origin) => [
    {
      title: "TypeScript",
      text: `import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";

const openai = createOpenAI({ baseURL: "${origin}/v1" });
const anthropic = createAnthropic({ baseURL: "${origin}/v1" });
const google = createGoogleGenerativeAI({ baseURL: "${origin}/v1beta" });`,
    },
  ],
  langchain: (origin) => [
    {
      title: "Python",
      text: `from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="gpt-5.4", base_url="${origin}/v1", max_retries=0)`,
    },
    {
      title: "TypeScript",
      text: `import { ChatOpenAI } from "@langchain/openai";

const model = new ChatOpenAI({
  model: "gpt-5.4",
  configuration: { baseURL: "${origin}/v1" },
  maxRetries: 0,
});`,
    },
  ],
  "claude-code": (origin) => [{ title: "Shell", text: `ANTHROPIC_BASE_URL=${origin} claude` }],
  codex: (origin) => [
    {
      title: "~/.codex/config.toml",
      text: `model = "gpt-5.4"
model_provider = "secondwind"

[model_providers.secondwind]
name = "Secondwind"
base_url = "${origin}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0`,
    },
  ],
  aider: (origin) => [
    {
      title: "Shell",
      text: `export OPENAI_API_BASE=${origin}/v1
export ANTHROPIC_API_BASE=${origin}
aider --model gpt-5.4`,
    },
  ],
  opencode: (origin) => [
    {
      title: "opencode.json",
      text: `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "openai": { "options": { "baseURL": "${origin}/v1" } },
    "anthropic": { "options": { "baseURL": "${origin}/v1" } },
    "google": { "options": { "baseURL": "${origin}/v1beta" } }
  }
}`,
    },
  ],
  "gemini-cli": (origin) => [{ title: "Shell", text: `GOOGLE_GEMINI_BASE_URL=${origin} gemini` }],
  sillytavern: (origin) => [{ title: "URL", text: `${origin}/v1` }],
  curl: (origin) => [
    {
      title: "OpenAI",
      text: `curl -N ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $OPENAI_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"model": "gpt-5.4", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}'`,
    },
    {
      title: "Anthropic",
      text: `curl -N ${origin}/v1/messages \\
  -H "x-api-key: $ANTHROPIC_API_KEY" \\
  -H 'anthropic-version: 2023-06-01' \\
  -H 'content-type: application/json' \\
  -d '{"model": "claude-sonnet-5-5", "max_tokens": 200, "stream": true, "messages": [{"role": "user", "content": "Hello"}]}'`,
    },
    {
      title: "Gemini",
      text: `curl -N '${origin}/v1beta/models/gemini-flash-latest:streamGenerateContent?alt=sse' \\
  -H "x-goog-api-key: $GEMINI_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"contents": [{"parts": [{"text": "Hello"}]}]}'`,
    },
  ],
};

export interface BaseUrl {
  readonly name: "openai" | "anthropic" | "gemini" | "named";
  readonly url: string;
}

/** Where the clients of each format are pointed at. */
export function baseUrlsOf(origin: string): readonly BaseUrl[] {
  return [
    { name: "openai", url: `${origin}/v1` },
    { name: "anthropic", url: origin },
    { name: "gemini", url: origin },
    { name: "named", url: `${origin}/openrouter/v1` },
  ];
}
