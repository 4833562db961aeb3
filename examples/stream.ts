import OpenAI from "openai";
import { type Reading, stream } from "secondwind";

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** Content is what a reader would miss. The finish reason is the terminal marker; without it a cut answer looks complete. */
function inspect(chunk: Chunk): Reading {
  const [choice] = chunk.choices;
  const hasContent = Boolean(choice?.delta.content || choice?.delta.tool_calls);
  if (choice?.finish_reason) return hasContent ? "content-end" : "end";
  return hasContent ? "content" : "noise";
}

const client = new OpenAI({ maxRetries: 0 });
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];
const answer = stream<Chunk>(
  ({ signal }) => client.chat.completions.create({ model: "gpt-5.4", stream: true, messages }, { signal }),
  { inspect },
);
for await (const chunk of answer) process.stdout.write(chunk.choices[0]?.delta.content ?? "");
console.log(answer.receipt);
