import { type ChatRequest, chatRequestSchema } from "../../../wire/http/chat.ts";
import type { ChatService } from "../chat/chat-service.ts";
import { eventLines } from "../chat/event-lines.ts";
import { conversationRoutes, MOST_MESSAGE_BYTES } from "./conversation-routes.ts";
import { type AnyRoute, defineRoute } from "./route.ts";

/** K6: chat over HTTP, and the conversations. */
export function chatRoutes(service: ChatService): readonly AnyRoute[] {
  return [
    defineRoute<undefined, ChatRequest>({
      method: "POST",
      path: "/chat",
      summary: "Send a message and stream the events of its turn",
      body: chatRequestSchema,
      maxBody: MOST_MESSAGE_BYTES,
      answer:
        "`application/x-ndjson`: one event per line until `turn-sealed`; the header `X-Conversation-Id` names the conversation",
      run: async ({ body, client, disconnect }) => {
        const turn = await service.send(body, client === undefined ? {} : { client });
        return new Response(
          eventLines(service, turn, () => disconnect?.()),
          {
            headers: {
              "content-type": "application/x-ndjson; charset=utf-8",
              "cache-control": "no-store",
              "x-accel-buffering": "no",
              "x-conversation-id": turn.conversationId,
            },
          },
        );
      },
    }),
    ...conversationRoutes(service),
  ];
}
