// Written from docs/events.md alone: nothing of the program is imported.
import { WebSocket } from "ws";
import type { Line } from "./ndjson-client.ts";

type Received =
  | { readonly type: "chat.delta"; readonly event: Line }
  | { readonly type: "chat.error"; readonly message: string; readonly conversationId?: string }
  | { readonly type: "activity.delta"; readonly records: readonly unknown[] };

/** Follows conversations on one connection. */
export class ChatSocket {
  readonly events: Line[] = [];
  readonly errors: string[] = [];
  readonly #socket: WebSocket;
  readonly #listeners = new Set<() => void>();

  constructor(url: string) {
    this.#socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
    this.#socket.on("message", (data) => this.#receive(JSON.parse(String(data)) as Received));
  }

  opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once("open", resolve).once("error", reject);
    });
  }

  request(request: { readonly type: string; readonly [field: string]: unknown }): void {
    this.#socket.send(JSON.stringify(request));
  }

  /** Resolves once an event of this type has come. */
  async got(type: string): Promise<Line> {
    for (;;) {
      const found = this.events.find((event) => event.type === type);
      if (found !== undefined) return found;
      if (this.errors[0] !== undefined) throw new Error(this.errors[0]);
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** The answer of the turn, as far as it has come. */
  get text(): string {
    return this.events.map(({ type, text }) => (type === "text-delta" ? String(text) : "")).join("");
  }

  close(): void {
    this.#socket.close();
  }

  #receive(message: Received): void {
    if (message.type === "chat.delta") this.events.push(message.event);
    else if (message.type === "chat.error") this.errors.push(message.message);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
