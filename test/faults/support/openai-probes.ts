import OpenAI from "openai";
import { type Ask, type Probe, retriesOf, type Sight, TOOL } from "./probe.ts";

function clientFor(ask: Ask): OpenAI {
  const { urls, apiKey, fetch } = ask;
  return new OpenAI({ apiKey, baseURL: urls.openai, fetch, logLevel: "off", ...retriesOf(ask) });
}

/** The `openai` package, chat completions. */
export const openaiChat: Probe = async (ask, sight) => {
  const { model, prompt, signal, hasTool, isStreaming } = ask;
  const tools = [{ type: "function" as const, function: TOOL }];
  const body = { model, messages: [{ role: "user" as const, content: prompt }], ...(hasTool && { tools }) };
  const { completions } = clientFor(ask).chat;
  if (!isStreaming) return sayMessage(await completions.create(body, { signal }), sight);
  for await (const { choices } of await completions.create({ ...body, stream: true }, { signal })) {
    const delta = choices?.[0]?.delta;
    for (const call of delta?.tool_calls ?? []) sight.addInput(call.index, call.function?.arguments);
    await sight.say(delta?.content);
  }
};

async function sayMessage({ choices }: OpenAI.ChatCompletion, sight: Sight): Promise<void> {
  const message = choices?.[0]?.message;
  await sight.say(message?.content);
  for (const call of message?.tool_calls ?? [])
    if (call.type === "function") sight.addInput(call.id, call.function.arguments);
}

/** The `openai` package, responses. */
export const openaiResponses: Probe = async (ask, sight) => {
  const { model, prompt, signal, hasTool, isStreaming } = ask;
  const tools = [{ type: "function" as const, strict: false, ...TOOL }];
  const body = { model, input: prompt, ...(hasTool && { tools }) };
  const { responses } = clientFor(ask);
  if (!isStreaming) {
    const { output_text: text, output } = await responses.create(body, { signal });
    for (const item of output ?? []) if (item.type === "function_call") sight.addInput(item.call_id, item.arguments);
    return sight.say(text);
  }
  for await (const event of await responses.create({ ...body, stream: true }, { signal })) {
    if (event.type === "response.output_text.delta") await sight.say(event.delta);
    if (event.type === "response.function_call_arguments.delta") sight.addInput(event.item_id, event.delta);
  }
};
