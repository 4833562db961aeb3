// Written from docs/events.md alone: nothing of the program is imported.

export interface Line {
  readonly type: string;
  readonly conversationId: string;
  readonly turnId: string;
  readonly [field: string]: unknown;
}

export interface Exchange {
  readonly conversationId: string;
  readonly events: readonly Line[];
}

/** Sends a message and reads the events of its turn. `onEvent` hears each as it arrives. */
export async function chatOverHttp(
  url: string,
  request: { readonly message: string; readonly conversationId?: string; readonly model?: string },
  onEvent: (event: Line) => void = () => undefined,
): Promise<Exchange> {
  const response = await fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (response.status !== 200) {
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    throw new Error(`${response.status}: ${error.message}`);
  }
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-ndjson")) throw new Error(`Unexpected content type: ${type}`);
  const events: Line[] = [];
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const event = JSON.parse(line) as Line;
      events.push(event);
      onEvent(event);
    }
  }
  if (rest !== "" || events.at(-1)?.type !== "turn-sealed") throw new Error("The stream was cut");
  return { conversationId: response.headers.get("x-conversation-id") ?? "", events };
}
