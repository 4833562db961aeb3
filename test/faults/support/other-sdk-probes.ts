import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { type Probe, retriesOf, TOOL } from "./probe.ts";

const MOST_TOKENS = 100_000;

/** The `@anthropic-ai/sdk` package. */
export const anthropicMessages: Probe = async (ask, sight) => {
  const { urls, apiKey, fetch, model, prompt, signal, hasTool, isStreaming } = ask;
  const client = new Anthropic({ apiKey, baseURL: urls.anthropic, fetch, logLevel: "off", ...retriesOf(ask) });
  const tools = [{ name: TOOL.name, input_schema: TOOL.parameters as unknown as Anthropic.Tool.InputSchema }];
  const messages = [{ role: "user" as const, content: prompt }];
  const body = { model, max_tokens: MOST_TOKENS, messages, ...(hasTool && { tools }) };
  if (!isStreaming) {
    // The SDK refuses so high a limit without a stream, because it expects a long answer.
    const { content } = await client.messages.create({ ...body, max_tokens: 8000 }, { signal });
    for (const block of content ?? []) {
      if (block.type === "text") await sight.say(block.text);
      if (block.type === "tool_use") sight.addInput(block.id, JSON.stringify(block.input));
    }
    return;
  }
  for await (const event of await client.messages.create({ ...body, stream: true }, { signal })) {
    if (event.type !== "content_block_delta") continue;
    if (event.delta.type === "text_delta") await sight.say(event.delta.text);
    if (event.delta.type === "input_json_delta") sight.addInput(event.index, event.delta.partial_json);
  }
};

/** The `@google/genai` package. */
export const geminiContent: Probe = async (ask, sight) => {
  const { urls, apiKey, fetch, model, prompt, signal, hasTool, isStreaming } = ask;
  const ai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: urls.gemini, fetch } });
  const { name, parameters: parametersJsonSchema } = TOOL;
  const config = {
    ...(signal !== undefined && { abortSignal: signal }),
    ...(hasTool && { tools: [{ functionDeclarations: [{ name, parametersJsonSchema }] }] }),
  };
  const request = { model, contents: prompt, config };
  const answers = isStreaming
    ? await ai.models.generateContentStream(request)
    : [await ai.models.generateContent(request)];
  for await (const { candidates } of answers) {
    for (const { text, functionCall } of candidates?.[0]?.content?.parts ?? []) {
      if (functionCall !== undefined) sight.addInput(sight.toolInputs.size, JSON.stringify(functionCall.args));
      await sight.say(text);
    }
  }
};
