import type { Ports } from "../../kernel/index.ts";

/** How late a change of another process or the end of a wait may be noticed. */
const EVERY_MS = 200;

/**
 * Looks a few times a second, as long as somebody needs it, and at once after a write of this process. By the wall clock: a machine
 * that was asleep for an hour notices at the next beat.
 */
export class Pulse {
  readonly #beat: () => void;
  readonly #ports: Pick<Ports, "reportFault">;
  #timer: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setImmediate> | undefined;
  #holders = 0;
  #isClosed = false;

  constructor(beat: () => void, ports: Pick<Ports, "reportFault">) {
    this.#beat = beat;
    this.#ports = ports;
  }

  /** Beats until the returned function is called. */
  hold(): () => void {
    this.#holders++;
    this.#timer ??= setInterval(() => this.#now(), EVERY_MS);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders--;
      if (this.#holders === 0) this.#stop();
    };
  }

  /** This process has written. */
  touch(): void {
    if (this.#holders === 0 || this.#isClosed) return;
    this.#soon ??= setImmediate(() => this.#now());
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#soon);
    this.#timer = undefined;
    this.#soon = undefined;
  }

  #now(): void {
    this.#soon = undefined;
    try {
      this.#beat();
    } catch (fault) {
      this.#ports.reportFault(fault, "jobs");
    }
  }
}
