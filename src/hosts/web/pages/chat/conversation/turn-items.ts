import type { AgentEvent, TurnStatus } from "../../../../../wire/turn-event.ts";
import type { ChatItem, EndOf, ItemOf } from "./chat-item.ts";

const ENDS: Readonly<Record<string, EndOf>> = {
  end: "complete",
  "tool-use": "step",
  length: "length",
  "content-filter": "content-filter",
};

/** What a turn shows, made from its events one by one. An item that changes is replaced, never written to. */
export class TurnItems {
  readonly turnId: string;
  #items: ChatItem[] = [];
  #count = 0;
  #step = 1;
  #status: TurnStatus | undefined;
  #hasContent = false;
  /** When the item that is being written or run was begun. */
  readonly #begun = new Map<string, number>();

  constructor(turnId: string) {
    this.turnId = turnId;
  }

  get items(): readonly ChatItem[] {
    return this.#items;
  }

  /** Undefined: it is running. */
  get status(): TurnStatus | undefined {
    return this.#status;
  }

  /** Text of the user's message that began it. */
  get question(): string | undefined {
    return this.#items.find((item): item is ItemOf<"user"> => item.type === "user")?.text;
  }

  /** 1-based number of the step under way. */
  get step(): number {
    return this.#step;
  }

  apply(event: AgentEvent, atMs: number): void {
    switch (event.type) {
      case "turn-start":
        return;
      case "user-message":
        this.#push({ type: "user", text: event.content });
        return this.#think();
      case "steering":
        this.#unthink();
        this.#push({ type: "user", text: event.content, isSteering: true });
        return this.#think();
      case "text-delta":
      case "reasoning-delta":
        return this.#write(event.type === "text-delta" ? "text" : "reasoning", event.text, atMs);
      case "tool-call":
        this.#seal(atMs);
        this.#begun.set(event.toolCallId, atMs);
        this.#push({
          type: "tool",
          callId: event.toolCallId,
          name: event.toolName,
          arguments: event.arguments,
        });
        return;
      case "tool-result":
        return this.#finishTool(event, atMs);
      case "provider-retry":
        return this.#wait(event, atMs);
      case "step-complete": {
        this.#seal(atMs);
        const { receipt } = event;
        this.#push({
          type: "end",
          turnId: this.turnId,
          step: this.#step,
          end: ENDS[event.finishReason] ?? "complete",
          ...(receipt !== undefined && { receipt }),
        });
        this.#step += 1;
        this.#hasContent = false;
        if (event.finishReason === "tool-use") this.#think();
        return;
      }
      case "error":
        this.#seal(atMs);
        this.#push({
          type: "error",
          message: event.message,
          isAfterContent: this.#hasContent,
          ...(event.code !== undefined && { code: event.code }),
          ...(event.receipt !== undefined && { receipt: event.receipt }),
        });
        return;
      case "turn-sealed": {
        this.#seal(atMs);
        this.#status = event.status;
        if (event.status !== "aborted") return;
        const { receipt } = event;
        this.#push({
          type: "end",
          turnId: this.turnId,
          step: this.#step,
          end: "aborted",
          ...(receipt !== undefined && { receipt }),
        });
        return;
      }
      case "usage":
      case "done":
        return;
      default:
        // A newer server may send more.
        return void (event satisfies never);
    }
  }

  #push(item: DistributiveOmit<ChatItem, "key">): void {
    this.#items.push({ ...item, key: `${this.turnId}:${this.#count++}` } as ChatItem);
  }

  /** Shown until the first word or wait. */
  #think(): void {
    this.#push({ type: "thinking" });
  }

  #unthink(): void {
    this.#items = this.#items.filter(({ type }) => type !== "thinking" && type !== "wait");
  }

  #write(type: "text" | "reasoning", text: string, atMs: number): void {
    if (type === "text" && text !== "") this.#hasContent = true;
    const last = this.#items.at(-1);
    if (last?.type === type && last.isStreaming) {
      this.#items[this.#items.length - 1] = { ...last, text: last.text + text };
      return;
    }
    this.#seal(atMs);
    this.#push({ type, text, isStreaming: true });
    this.#begun.set(this.#items.at(-1)?.key as string, atMs);
  }

  /** Nothing is being written, waited for or thought about any more. */
  #seal(atMs: number): void {
    this.#unthink();
    const last = this.#items.at(-1);
    if ((last?.type !== "text" && last?.type !== "reasoning") || !last.isStreaming) return;
    const ms = atMs - (this.#begun.get(last.key) ?? atMs);
    this.#items[this.#items.length - 1] =
      last.type === "text" ? { ...last, isStreaming: false } : { ...last, isStreaming: false, ms };
  }

  #finishTool(event: Extract<AgentEvent, { type: "tool-result" }>, atMs: number): void {
    this.#items = this.#items.filter(({ type }) => type !== "wait");
    const at = this.#items.findLastIndex((item) => item.type === "tool" && item.callId === event.toolCallId);
    const call = this.#items[at];
    if (call?.type !== "tool") return;
    const { content, isError } = event;
    const ms = atMs - (this.#begun.get(event.toolCallId) ?? atMs);
    this.#items[at] = { ...call, result: { content, isError }, ms };
  }

  /** One bubble at a time, with the key of the one before: the same bubble shows the next wait. */
  #wait(event: Extract<AgentEvent, { type: "provider-retry" }>, atMs: number): void {
    const shown = this.#items.findIndex(({ type }) => type === "wait");
    const bubble = this.#items[shown];
    if (bubble?.type === "wait") {
      this.#items[shown] = { ...bubble, event };
      return;
    }
    this.#seal(atMs);
    this.#push({ type: "wait", event });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
