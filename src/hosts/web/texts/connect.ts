import { CONNECT_ZH } from "./connect-zh.ts";
import type { Texts } from "./language.ts";

const CONNECT_EN = {
  title: "Connect an application",
  link: "Connect",
  more: "Base URLs, keys, and help if nothing arrives",
  lead: "Change the base URL, nothing else. Your application keeps its own key and its own code.",
  application: "Application",
  language: "Language",
  environment: "Environment",
  notes: {
    environment: "Most SDKs and many programs read these variables. Restart the program afterwards.",
    openai: "The key stays where it is. The SDK's own retries are off, because Secondwind retries instead.",
    anthropic: "Without /v1: this SDK adds it. Its own retries are off, because Secondwind retries instead.",
    google: "Without /v1beta: this SDK adds it.",
    "ai-sdk": "Set maxRetries: 0 in generateText and streamText, because Secondwind retries instead.",
    langchain: "LangChain's own retries are off, because Secondwind retries instead.",
    "claude-code": "Without /v1: Claude Code adds it.",
    codex: "A provider of your own. Codex reads the key from OPENAI_API_KEY.",
    aider: "The first line is for OpenAI models, the second for Claude models.",
    opencode: "Put it in the folder of your project, or merge it into ~/.config/opencode/opencode.json.",
    "gemini-cli": "With an API key in GEMINI_API_KEY. A Google login uses another service.",
    sillytavern:
      "API Connections → Chat Completion → OpenAI or Claude → Reverse Proxy: this is the Proxy Server URL, and your API key is the Proxy Password.",
    curl: "Works without any set-up.",
  },
  waiting: "Waiting for the first call",
  arrived: (model: string) => `First call arrived: ${model}`,
  last: (model: string) => `Last call: ${model}`,
  at: (time: string) => `at ${time}`,
  from: (client: string) => `from ${client}`,
  answered: (how: string) => `answered ${how}`,
  show: "Show in Activity",
  waitingText:
    "No call has come through the gateway yet. The first one shows here and on Activity as soon as it arrives, whether it succeeds or not.",
  checks: {
    title: "Nothing arrives?",
    items: [
      "Restart the application: most read their base URL only at the start.",
      "Check the end of the base URL: OpenAI clients need /v1, Anthropic and Gemini clients do not.",
      "Web pages are refused. Call the gateway from a program or from a server.",
    ],
  },
  urls: {
    title: "Base URLs",
    openai: "OpenAI clients",
    anthropic: "Anthropic clients",
    gemini: "Gemini clients",
    named: "By name",
    namedText:
      "In place of openrouter: openai, anthropic, google, groq, mistral, deepseek, xai, ollama, or a name of your own in gateway.json.",
  },
  keys: {
    title: "Keys",
    own: "Your application's key goes to the provider whose format it speaks, and nowhere else.",
    access:
      "If this server has access keys, applications use one of them as their API key, and gateway.json takes the provider's key from the key file.",
  },
  promises: [
    "OpenAI, Anthropic and Gemini formats",
    "Streams pass through unchanged",
    "Retries before the first word, never after it",
  ],
};

export type ConnectTexts = typeof CONNECT_EN;
export const CONNECT_TEXTS: Texts<ConnectTexts> = { en: CONNECT_EN, zh: CONNECT_ZH };
