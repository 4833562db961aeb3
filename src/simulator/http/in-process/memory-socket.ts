import { Duplex } from "node:stream";

type Callback = (fault?: Error | null) => void;

/**
 * One end of a connection that never leaves the process: node:http takes any duplex for a socket. What is sent arrives a turn of
 * the event loop later, as it would from another machine, and in order with the goodbye.
 */
export class MemorySocket extends Duplex {
  bytesWritten = 0;
  private peer: MemorySocket | undefined;
  /** The other end's last write, which waits until we read again. */
  private waiting: Callback | undefined;
  private isReset = false;

  static pair(): readonly [MemorySocket, MemorySocket] {
    const [one, other] = [new MemorySocket(), new MemorySocket()];
    one.peer = other;
    other.peer = one;
    return [one, other];
  }

  override _read(): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Callback): void {
    setImmediate(() => {
      const { peer } = this;
      if (peer === undefined || peer.destroyed) return done(brokenPipe());
      this.bytesWritten += chunk.length;
      if (peer.push(chunk)) done();
      else peer.waiting = done;
    });
  }

  override _final(done: Callback): void {
    setImmediate(() => {
      this.peer?.sayEnd();
      done();
    });
  }

  override _destroy(fault: Error | null, done: Callback): void {
    setImmediate(() => {
      if (this.isReset) this.peer?.destroy(connectionReset());
      else this.peer?.sayEnd();
    });
    this._read();
    done(fault);
  }

  resetAndDestroy(): void {
    this.isReset = true;
    this.destroy();
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  /** Time and packets are the wire's affair, and here is none. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  private sayEnd(): void {
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }
}

function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" });
}

function brokenPipe(): Error {
  return Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" });
}
