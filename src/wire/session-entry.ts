import { z } from "zod";
import {
  type AssistantMessage,
  assistantMessageSchema,
  selectorSchema,
  type ToolMessage,
  toolMessageSchema,
  type UserMessage,
  userMessageSchema,
} from "./message.ts";
import { roleSchema } from "./retry-settings.ts";

/** Given to a `prompt`, and named by what became of it. Older versions wrote none. */
const promptId = z.string().optional();

const keptMessageSchema = z.discriminatedUnion("role", [
  userMessageSchema.extend({ promptId }),
  assistantMessageSchema,
  toolMessageSchema,
]);

export const modelChangeSchema = z.object({
  from: selectorSchema,
  to: selectorSchema,
  role: roleSchema,
  reason: z.enum(["chosen", "fallback", "restored"]),
});

/** What a session keeps of a conversation: an entry's `type` with its `data`, as the store's port has them. */
export const sessionEntrySchema = z.discriminatedUnion("type", [
  // A failing answer is stored as well, but is not in the context.
  z.object({ type: z.literal("message"), data: keptMessageSchema }),
  // Accepted while the agent was at work. Its message follows when its turn comes; until then this is all that is stored of it.
  z.object({ type: z.literal("prompt"), data: z.object({ promptId, content: z.string() }) }),
  // Accepted, but never sent: a warning was announced.
  z.object({ type: z.literal("prompt_dropped"), data: z.object({ promptId, content: z.string() }) }),
  z.object({ type: z.literal("model_change"), data: modelChangeSchema }),
  // A user message was edited: the entries from this one on have left the conversation. They stay stored.
  z.object({ type: z.literal("rewind"), data: z.object({ before: z.int().positive() }) }),
  // The server's turns: what was chosen for one, and how it ended. Without an end, its process was killed.
  z.object({
    type: z.literal("turn"),
    data: z.object({
      turnId: z.string(),
      model: selectorSchema,
      policy: z.string(),
      /** The process that runs it. Older versions wrote none. */
      by: z.object({ pid: z.int().positive(), since: z.number() }).optional(),
    }),
  }),
  z.object({
    type: z.literal("turn_end"),
    data: z.object({ turnId: z.string(), status: z.enum(["done", "error", "aborted", "interrupted"]) }),
  }),
  z.object({
    type: z.literal("compaction"),
    data: z.object({
      summary: z.string(),
      /** How many of the context's last messages stay as they are, after the summary. */
      kept: z.int().nonnegative(),
    }),
  }),
]);

type ParsedEntry = Readonly<z.infer<typeof sessionEntrySchema>>;

export type SessionEntry =
  | Exclude<ParsedEntry, { type: "message" }>
  | {
      readonly type: "message";
      readonly data: (UserMessage & { readonly promptId?: string | undefined }) | AssistantMessage | ToolMessage;
    };
