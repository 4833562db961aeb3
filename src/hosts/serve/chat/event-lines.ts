import type { ChatService, StartedTurn } from "./chat-service.ts";

/** A client that is so far behind, on top of what was replayed to it, is disconnected. */
export const MOST_WAITING_BYTES = 4_000_000;

const encoder = new TextEncoder();

/**
 * K6: the events of one turn, one JSON object per line, up to its seal. The turn does not depend on its reader: one that is too slow
 * is given up by `disconnect`.
 */
export function eventLines(
  service: Pick<ChatService, "subscribe">,
  { conversationId, turnId }: StartedTurn,
  disconnect: () => void,
): ReadableStream<Uint8Array> {
  let leave = (): void => undefined;
  let isOpen = true;
  let lines = "";
  let waiting = 0;
  let allowed = Number.POSITIVE_INFINITY;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = (end: () => void): void => {
          isOpen = false;
          leave();
          end();
        };
        const flush = (): void => {
          if (!isOpen || lines === "") return;
          controller.enqueue(encoder.encode(lines));
          lines = "";
          waiting = -(controller.desiredSize ?? 0);
          if (waiting > allowed) close(disconnect);
        };
        leave = service.subscribe(conversationId, {
          hear: (event, json) => {
            if (!isOpen || event.turnId !== turnId) return;
            // Events that arrive together go out together: a write to the socket costs more than all else that is done for an event.
            if (lines === "") setImmediate(flush);
            lines += `${json}\n`;
            if (event.type !== "turn-sealed") return;
            flush();
            if (isOpen) close(() => controller.close());
          },
        });
        flush();
        if (!isOpen) leave();
        allowed = waiting + MOST_WAITING_BYTES;
      },
      cancel: () => {
        isOpen = false;
        leave();
      },
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}
