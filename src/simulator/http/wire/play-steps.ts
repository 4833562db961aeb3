import type { Socket } from "node:net";
import { sleep } from "../../../system/index.ts";
import type { Step } from "./reply.ts";
import { untilAborted } from "./send-reply.ts";

/**
 * A moment for the last bytes to be read. A reset that comes while they still lie in the client's buffer may take them away,
 * and libuv, which then finds data and hang-up together, tells its client of an end and not of a reset.
 */
const SETTLE_MS = 5;

/** Does the steps to the socket, one after another, below HTTP. Rejects as soon as the signal aborts. */
export async function playSteps(socket: Socket, steps: Iterable<Step>, signal: AbortSignal): Promise<void> {
  socket.setNoDelay(true);
  for (const step of steps) {
    signal.throwIfAborted();
    switch (step.do) {
      case "send":
        await write(socket, step.bytes);
        break;
      case "wait":
        await sleep(step.ms, signal);
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
        step satisfies never;
    }
  }
}

async function settle(signal: AbortSignal): Promise<void> {
  await sleep(SETTLE_MS, signal);
  // If the client lives in this very process, as in tests, a busy loop may not have let it read at all yet.
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Waits for each write: an endless fault must not fill the memory for a client that does not read. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.write(bytes, (fault) => (fault ? reject(fault) : resolve()));
  });
}

/** Says goodbye and waits for nobody: the client may keep its half open for ever. */
function end(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.end(() => {
      socket.destroySoon();
      resolve();
    });
  });
}
