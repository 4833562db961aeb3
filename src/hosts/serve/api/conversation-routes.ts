import { z } from "zod";
import {
  type ContinueRequest,
  continueRequestSchema,
  conversationIdSchema,
  type ResendRequest,
  renameRequestSchema,
  resendRequestSchema,
  steerRequestSchema,
} from "../../../wire/http/chat.ts";
import type { Caller, ChatService } from "../chat/chat-service.ts";
import { exportConversation } from "../chat/export-conversation.ts";
import { type AnyRoute, type ApiRequest, defineRoute, notFound } from "./route.ts";

/** A message of the most characters, each escaped as JSON, and the rest of the body. */
export const MOST_MESSAGE_BYTES = 8_000_000;

const listQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  search: z.string().max(200).default("").describe("only those whose title contains this text, in any case"),
});

const exportQuerySchema = z.object({ format: z.enum(["markdown", "json"]).default("markdown") });

type WithParams = Pick<ApiRequest<unknown, unknown>, "params" | "client">;

const TURN = "`{conversationId, turnId}`; the events of the turn go to the conversation's subscribers";

/** List, open, rename, delete and export conversations; continue, resend, abort and steer their turns. */
export function conversationRoutes(service: ChatService): readonly AnyRoute[] {
  return [
    defineRoute<z.infer<typeof listQuerySchema>>({
      method: "GET",
      path: "/api/conversations",
      summary: "List the conversations, the newest change first",
      query: listQuerySchema,
      answer: "`{conversations}`, each a `ConversationSummary`",
      run: async ({ query }) => ({ conversations: await service.list(query) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/conversations/:id",
      summary: "Open a conversation",
      answer: "a `ConversationView`",
      run: (request) => service.open(idOf(request)),
    }),
    defineRoute<undefined, z.infer<typeof renameRequestSchema>>({
      method: "PATCH",
      path: "/api/conversations/:id",
      summary: "Rename a conversation",
      body: renameRequestSchema,
      answer: "nothing",
      run: (request) => service.rename(idOf(request), request.body.title),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/conversations/:id",
      summary: "Delete a conversation; a turn that runs in it is aborted",
      answer: "nothing",
      run: (request) => service.remove(idOf(request)),
    }),
    defineRoute<undefined, ContinueRequest>({
      method: "POST",
      path: "/api/conversations/:id/continue",
      summary: "Run the last turn again, after an interruption or a failure",
      body: continueRequestSchema,
      answer: TURN,
      run: (request) => service.continue(idOf(request), request.body, callerOf(request)),
    }),
    defineRoute<undefined, ResendRequest>({
      method: "POST",
      path: "/api/conversations/:id/resend",
      summary: "Replace a user message; what followed it leaves the conversation",
      body: resendRequestSchema,
      maxBody: MOST_MESSAGE_BYTES,
      answer: TURN,
      run: (request) => service.resend(idOf(request), request.body, callerOf(request)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/conversations/:id/abort",
      summary: "Abort the turn that is running",
      answer: "`{aborted}`; false: no turn was running",
      run: (request) => ({ aborted: service.abort(idOf(request)) }),
    }),
    defineRoute<undefined, z.infer<typeof steerRequestSchema>>({
      method: "POST",
      path: "/api/conversations/:id/steer",
      summary: "Add a message to the turn that is running",
      body: steerRequestSchema,
      maxBody: MOST_MESSAGE_BYTES,
      answer: "nothing",
      run: (request) => service.steer(idOf(request), request.body.content),
    }),
    defineRoute<z.infer<typeof exportQuerySchema>>({
      method: "GET",
      path: "/api/conversations/:id/export",
      summary: "Download a conversation",
      query: exportQuerySchema,
      answer: "a file: Markdown, or the `ConversationView` as JSON",
      run: async (request) => exportConversation(await service.open(idOf(request)), request.query.format),
    }),
  ];
}

/** An id that no conversation can have is an unknown one. */
function idOf({ params }: WithParams): string {
  const parsed = conversationIdSchema.safeParse(params.id);
  if (!parsed.success) throw notFound("conversation");
  return parsed.data;
}

function callerOf({ client }: WithParams): Caller {
  return client === undefined ? {} : { client };
}
