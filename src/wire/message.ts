import { z } from "zod";
import { SELECTOR } from "./selector.ts";

/** What a conversation is made of. It is kept in the store and goes over RPC, so it is plain data with one schema. */

/** Tokens as the provider counted them. */
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
  /** Parsed: a call whose arguments do not parse is no call. */
  arguments: z.record(z.string(), z.unknown()),
  /** What the provider wants back with the call: Gemini refuses a conversation whose calls have lost their signatures. */
  providerData: z.unknown().optional(),
});

export const assistantPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  // What the provider wants back with the reasoning, as it gave it: a signature, for one.
  z.object({ type: z.literal("reasoning"), text: z.string(), providerData: z.unknown().optional() }),
  toolCallPartSchema,
]);

export const assistantMessageSchema = z.object({
  role: z.literal("assistant"),
  parts: z.array(assistantPartSchema),
  model: selectorSchema,
  stopReason: z.enum(["end", "tool-use", "length", "content-filter", "error", "aborted"]),
  /** The endpoint's own words, when `stopReason` is `error`. */
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

export type Usage = Readonly<z.infer<typeof usageSchema>>;
export type UserMessage = Readonly<z.infer<typeof userMessageSchema>>;
export type ToolCallPart = Readonly<z.infer<typeof toolCallPartSchema>>;
export type AssistantPart = Readonly<z.infer<typeof assistantPartSchema>>;
export type AssistantMessage = Readonly<z.infer<typeof assistantMessageSchema>>;
export type ToolMessage = Readonly<z.infer<typeof toolMessageSchema>>;
export type Message = UserMessage | AssistantMessage | ToolMessage;
