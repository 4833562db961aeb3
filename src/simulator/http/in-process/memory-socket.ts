import { Duplex } from "node:stream";
// Not the global one: a test may have replaced it with a fake timer.
import { setImmediate } from "node:timers";

type Callback = (fault?: Error | null) => void;

/**
 * One end of a connection inside this process: node:http accepts any duplex as a socket. Data arrives one turn of the event
 * loop later, as from another machine, and in order with the end of the connection.
 */
export class MemorySocket extends Duplex {
  bytesWritten = 0;
  private peer: MemorySocket | undefined;
  /** Completes the other end's last write, which waits until this end reads. */
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

  /** What is written in one go arrives together, as from a real socket: node:http writes four pieces for each chunk of a body. */
  override _writev(parts: readonly { readonly chunk: Buffer }[], done: Callback): void {
    this.deliver(Buffer.concat(parts.map(({ chunk }) => chunk)), done);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Callback): void {
    this.deliver(chunk, done);
  }

  private deliver(chunk: Buffer, done: Callback): void {
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
      this.peer?.pushEnd();
      done();
    });
  }

  override _destroy(fault: Error | null, done: Callback): void {
    setImmediate(() => {
      if (this.isReset) this.peer?.destroy(connectionReset());
      else this.peer?.pushEnd();
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

  /** Timeouts and packets do not apply here. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  private pushEnd(): void {
    if (!this.destroyed && !this.readableEnded) this.push(null);
  }
}

function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" });
}

function brokenPipe(): Error {
  return Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" });
}
