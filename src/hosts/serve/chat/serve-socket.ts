import type { WebSocket } from "ws";
import type { Activity } from "../../../activity/activity.ts";
import type { Ports } from "../../../kernel/index.ts";
import { type SocketMessage, type SocketRequest, socketRequestSchema } from "../../../wire/http/chat.ts";
import { explainProblem } from "../api/explain-problem.ts";
import { ApiProblem, notFound } from "../api/route.ts";
import type { Caller, ChatService } from "./chat-service.ts";
import { MOST_WAITING_BYTES } from "./event-lines.ts";
import { sendActivity } from "./send-activity.ts";

export interface SocketParts extends Caller {
  readonly service: ChatService;
  readonly activity: Pick<Activity, "running" | "subscribe" | "health">;
  readonly ports: Pick<Ports, "reportFault">;
}

const MOST_SUBSCRIPTIONS = 1000;
/** "Try again later", in the WebSocket's registry of codes. */
const TOO_SLOW = 1013;

/**
 * K6: the WebSocket's protocol, from the first frame to the close. What can't be done is a `chat.error`; a connection never ends a
 * turn.
 */
export function serveSocket(socket: WebSocket, { service, activity, ports, ...caller }: SocketParts): void {
  const subscriptions = new Map<string, () => void>();
  let endActivity: (() => void) | undefined;
  let allowed = MOST_WAITING_BYTES;

  const send = (json: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > allowed) disconnect();
    else socket.send(json, ignore);
  };
  const disconnect = (): void => {
    leave();
    socket.close(TOO_SLOW, "The client reads too slowly");
    // A client that does not read does not close either.
    socket.terminate();
  };
  const say = (message: SocketMessage): void => send(JSON.stringify(message));
  const leave = (): void => {
    for (const end of subscriptions.values()) end();
    subscriptions.clear();
    endActivity?.();
    endActivity = undefined;
  };

  const subscribe = (conversationId: string): void => {
    if (subscriptions.has(conversationId)) return;
    if (subscriptions.size >= MOST_SUBSCRIPTIONS)
      throw new ApiProblem(
        429,
        `A connection may follow ${MOST_SUBSCRIPTIONS} conversations. Unsubscribe from one first`,
      );
    if (socket.bufferedAmount > MOST_WAITING_BYTES) return disconnect();
    // What is replayed at once may be large, and is not the client's fault.
    allowed = Number.POSITIVE_INFINITY;
    const end = service.subscribe(conversationId, { hear: (_, json) => send(`{"type":"chat.delta","event":${json}}`) });
    allowed = socket.bufferedAmount + MOST_WAITING_BYTES;
    subscriptions.set(conversationId, end);
  };
  const unsubscribe = (conversationId: string): void => {
    subscriptions.get(conversationId)?.();
    subscriptions.delete(conversationId);
  };

  const handle = async (request: SocketRequest): Promise<void> => {
    switch (request.type) {
      case "chat.send": {
        const { type: _, ...message } = request;
        const { conversationId } = await service.send(message, caller);
        if (socket.readyState === socket.OPEN) subscribe(conversationId);
        return;
      }
      case "chat.subscribe":
        subscribe(request.conversationId);
        if (await service.has(request.conversationId)) return;
        unsubscribe(request.conversationId);
        throw notFound("conversation");
      case "chat.unsubscribe":
        return unsubscribe(request.conversationId);
      case "chat.abort":
        return void service.abort(request.conversationId);
      case "chat.steer":
        return service.steer(request.conversationId, request.content);
      case "activity.subscribe":
        endActivity ??= sendActivity(activity, say);
        return;
      case "activity.unsubscribe":
        endActivity?.();
        endActivity = undefined;
        return;
      default:
        request satisfies never;
    }
  };

  const take = async (data: unknown, isBinary: boolean): Promise<void> => {
    const request = isBinary ? "A message must be a text frame with JSON" : parseRequest(String(data));
    if (typeof request === "string") return say({ type: "chat.error", message: request });
    try {
      await handle(request);
    } catch (fault) {
      const conversationId = "conversationId" in request ? request.conversationId : undefined;
      const { message, isOurs } = explainProblem(fault);
      if (isOurs) ports.reportFault(fault, "WebSocket");
      say({ type: "chat.error", message, ...(conversationId !== undefined && { conversationId }) });
    }
  };

  socket.on("message", (data, isBinary) => {
    take(data, isBinary).catch((fault) => ports.reportFault(fault, "WebSocket"));
  });
  socket.on("close", leave);
  // A broken frame or connection: `close` follows.
  socket.on("error", ignore);
}

function ignore(): void {
  // Nothing to do: the connection is closed, and its close is heard.
}

/** A request, or why it is none. */
function parseRequest(text: string): SocketRequest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "A message must be JSON";
  }
  const parsed = socketRequestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "the message";
  if (field === "type") return `type must be one of ${TYPES.join(", ")}`;
  return `${field}: ${issue?.message ?? "invalid"}`;
}

const TYPES = socketRequestSchema.options.map(({ shape }) => shape.type.value);
