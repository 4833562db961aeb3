import type { Socket } from "node:net";
// Not the global one: a test may have replaced it with a fake timer.
import { setImmediate } from "node:timers";
import { pause } from "./pause.ts";
import type { SocketAction } from "./reply.ts";
import { untilAborted } from "./send-reply.ts";

/**
 * Time for the client to read the last bytes. A reset may discard bytes that are still in the client's buffer, and libuv
 * reports an end instead of a reset when it finds data and hang-up together.
 */
const SETTLE_MS = 5;

/** Performs the actions on the socket, one after another. Rejects as soon as the signal aborts. */
export async function playActions(socket: Socket, actions: Iterable<SocketAction>, signal: AbortSignal): Promise<void> {
  socket.setNoDelay(true);
  for (const action of actions) {
    signal.throwIfAborted();
    switch (action.do) {
      case "send":
        await write(socket, action.bytes);
        break;
      case "wait":
        await pause(action.ms, signal);
        break;
      case "hold":
        await untilAborted(signal);
        break;
      case "reset":
        await settle(signal);
        socket.resetAndDestroy();
        return;
      case "close":
        await end(socket);
        return;
      default:
        action satisfies never;
    }
  }
}

async function settle(signal: AbortSignal): Promise<void> {
  await pause(SETTLE_MS, signal);
  // If the client is in this process, as in tests, a busy event loop may not have let it read yet.
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Waits for each write: an endless fault must not fill the memory if the client does not read. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.write(bytes, (fault) => (fault ? reject(fault) : resolve()));
  });
}

/** Ends our side without waiting for the client, which may keep its side open forever. */
function end(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.end(() => {
      socket.destroySoon();
      resolve();
    });
  });
}
