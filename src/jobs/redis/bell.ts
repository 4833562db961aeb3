import type { Redis } from "ioredis";
import { pause } from "../../store/sqlite/lock-wait.ts";
import type { Connections } from "./connect.ts";

/** A look without a ring: rings may be lost with the worker that heard them. */
const LOOK_EVERY_MS = 1000;
/** An answer to a blocking command that is so late does not come: the connection is half open. */
const GRACE_MS = 2000;

/** Wakes one idle worker of all when something is due. Its connection blocks, so it is used for nothing else. */
export class Bell {
  readonly #key: string;
  readonly #connection: Redis;
  #wake: (() => void) | undefined;
  #pending: Promise<void> | undefined;
  #isClosed = false;

  constructor(connections: Connections, key: string) {
    this.#key = key;
    const grace = { blockingTimeout: LOOK_EVERY_MS + GRACE_MS, blockingTimeoutGrace: GRACE_MS };
    this.#connection = connections.open(grace);
  }

  /** Until it rings, until this process wakes the worker, or until it is time to look. */
  async heard(): Promise<void> {
    if (this.#isClosed) return;
    this.#pending ??= this.#pop().finally(() => {
      this.#pending = undefined;
    });
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([this.#pending, woken]);
  }

  wake(): void {
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.disconnect();
    this.wake();
  }

  async #pop(): Promise<void> {
    try {
      await this.#connection.blpop(this.#key, LOOK_EVERY_MS / 1000);
    } catch {
      // Redis is away, which its connections report.
      await pause(LOOK_EVERY_MS);
    }
  }
}
