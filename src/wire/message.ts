import { z } from "zod";
import { SELECTOR } from "./selector.ts";

// The messages of a conversation: plain data, stored and sent over RPC.
//
// Here and in the other files of `wire/` a public type is written out next to its schema: a type inferred from a schema would pull
// Zod's declarations into the package's. `test/wire/types.test.ts` proves that each pair agrees.

/** Tokens as the provider counted them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** Parsed: a call whose arguments do not parse is no call. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the provider wants back with the call: Gemini refuses a conversation whose calls have lost their signatures. */
  readonly providerData?: unknown;
}

export type AssistantPart =
  | { readonly type: "text"; readonly text: string }
  /** `providerData`: what the provider wants back with the reasoning, such as a signature. */
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: unknown }
  | ToolCallPart;

export interface AssistantMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
  /** `provider/model`. */
  readonly model: string;
  readonly stopReason: "end" | "tool-use" | "length" | "content-filter" | "error" | "aborted";
  /** The endpoint's own words, when `stopReason` is `error`. */
  readonly errorMessage?: string | undefined;
  readonly usage?: Usage | undefined;
}

export interface ToolMessage {
  readonly role: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

export const usageSchema = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
});

/** `provider/model`. The model's own name may have slashes in it. */
export const selectorSchema = z.string().regex(SELECTOR, "must be provider/model");

export const userMessageSchema = z.object({ role: z.literal("user"), content: z.string() });

export const toolCallPartSchema = z.object({
  type: z.literal("tool-call"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  providerData: z.unknown().optional(),
});

export const assistantPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), text: z.string(), providerData: z.unknown().optional() }),
  toolCallPartSchema,
]);

export const assistantMessageSchema = z.object({
  role: z.literal("assistant"),
  parts: z.array(assistantPartSchema),
  model: selectorSchema,
  stopReason: z.enum(["end", "tool-use", "length", "content-filter", "error", "aborted"]),
  errorMessage: z.string().optional(),
  usage: usageSchema.optional(),
});

export const toolMessageSchema = z.object({
  role: z.literal("tool"),
  toolCallId: z.string(),
  toolName: z.string(),
  content: z.string(),
  isError: z.boolean(),
});

export const messageSchema = z.discriminatedUnion("role", [
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
]);
