import type { ReceivedRequest } from "../../src/simulator/http/index.ts";

/** The text that the simulator really sent in a stream, read from its bytes by nobody but this test. */
export function textSent({ provider, sent = "" }: ReceivedRequest): string {
  const events = sent.split("\n").flatMap((line) => parse(/^data: (.*)$/.exec(line)?.[1]));
  return events.map(READ[provider]).join("");
}

interface AnthropicEvent {
  readonly delta?: { readonly text?: string };
}
interface ChatEvent {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
}
interface GeminiEvent {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly { readonly text?: string }[] } }[];
}

const READ: Readonly<Record<ReceivedRequest["provider"], (event: unknown) => string>> = {
  anthropic: (event) => (event as AnthropicEvent).delta?.text ?? "",
  openai: (event) => (event as ChatEvent).choices?.[0]?.delta?.content ?? "",
  gemini: (event) =>
    (event as GeminiEvent).candidates?.[0]?.content?.parts?.map(({ text = "" }) => text).join("") ?? "",
};

/** A line that was cut in the middle is no event; neither is `[DONE]`. */
function parse(data: string | undefined): readonly unknown[] {
  try {
    return data === undefined ? [] : [JSON.parse(data)];
  } catch {
    return [];
  }
}
