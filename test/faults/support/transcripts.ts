import { type InProcessSimulator, simulateInProcess } from "../../../src/simulator/http/index.ts";
import { TOOL } from "./probe.ts";

/** What an endpoint sent for one request: the bytes of a good answer. */
export interface Transcript {
  readonly name: string;
  readonly url: string;
  /** The request's body. */
  readonly request: string;
  readonly bytes: Uint8Array;
}

type Wish = "text" | "characters" | "tool" | "reasoning" | "limit";
type Format = "chat" | "responses" | "anthropic" | "gemini";

const PROMPTS: Readonly<Record<Wish, string>> = {
  text: "echo: four words, no more",
  characters: "echo: 風 → 🌊 déjà",
  tool: 'Please call get_weather {"city":"Zürich"} now',
  reasoning: "echo: so",
  limit: "echo: far more words than the limit allows, many more",
};
const WISHES = Object.keys(PROMPTS) as readonly Wish[];
const FORMATS: readonly Format[] = ["chat", "responses", "anthropic", "gemini"];
const LIMIT = 3;

type Made = { readonly path: string; readonly body: object };

const MAKE: Readonly<Record<Format, (wish: Wish) => Made>> = {
  chat: (wish) => ({
    path: "/v1/chat/completions",
    body: {
      ...{ model: "ok", stream: true, messages: [{ role: "user", content: PROMPTS[wish] }] },
      stream_options: { include_usage: true },
      ...(wish === "tool" && { tools: [{ type: "function", function: TOOL }] }),
      ...(wish === "reasoning" && { reasoning_effort: "low" }),
      ...(wish === "limit" && { max_tokens: LIMIT }),
    },
  }),
  responses: (wish) => ({
    path: "/v1/responses",
    body: {
      ...{ model: "ok", stream: true, input: PROMPTS[wish] },
      ...(wish === "tool" && { tools: [{ type: "function", ...TOOL }] }),
      ...(wish === "reasoning" && { reasoning: { effort: "low", summary: "auto" } }),
      ...(wish === "limit" && { max_output_tokens: LIMIT }),
    },
  }),
  anthropic: (wish) => ({
    path: "/v1/messages",
    body: {
      ...{ model: "ok", stream: true, messages: [{ role: "user", content: PROMPTS[wish] }] },
      max_tokens: wish === "limit" ? LIMIT : 8000,
      ...(wish === "tool" && { tools: [{ name: TOOL.name, input_schema: TOOL.parameters }] }),
      ...(wish === "reasoning" && { thinking: { type: "enabled", budget_tokens: 1024 } }),
    },
  }),
  gemini: (wish) => ({
    path: "/v1beta/models/ok:streamGenerateContent?alt=sse",
    body: {
      contents: [{ role: "user", parts: [{ text: PROMPTS[wish] }] }],
      ...(wish === "tool" && { tools: [{ functionDeclarations: [{ name: TOOL.name, parameters: TOOL.parameters }] }] }),
      ...(wish === "reasoning" && { generationConfig: { thinkingConfig: { includeThoughts: true } } }),
      ...(wish === "limit" && { generationConfig: { maxOutputTokens: LIMIT } }),
    },
  }),
};

/** Twenty answers: text, characters of several bytes, a tool call, reasoning and a limit, each with its usage, in every format. */
export async function recordTranscripts(): Promise<readonly Transcript[]> {
  const sim = simulateInProcess({ firstTokenMs: 0, tokenMs: 0, timeScale: 0, keepSent: true });
  const all: Transcript[] = [];
  for (const format of FORMATS) {
    for (const wish of WISHES) all.push(await record(sim, `${format}, ${wish}`, MAKE[format](wish)));
  }
  return all;
}

async function record(sim: InProcessSimulator, name: string, { path, body }: Made): Promise<Transcript> {
  const url = `${sim.url}${path}`;
  const request = JSON.stringify(body);
  const headers = {
    authorization: "Bearer a",
    "x-api-key": "a",
    "x-goog-api-key": "a",
    "anthropic-version": "2023-06-01",
  };
  const response = await sim.fetch(url, {
    ...{ method: "POST", body: request },
    headers: { "content-type": "application/json", ...headers },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${name}: ${new TextDecoder().decode(bytes)}`);
  return { name, url, request, bytes };
}
