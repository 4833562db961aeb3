import { connect } from "node:net";

const END = "0\r\n\r\n";

/** One connection that carries one request at a time. */
export class Connection {
  constructor(port) {
    this.socket = connect({ host: "127.0.0.1", port, noDelay: true });
    this.socket.on("data", (bytes) => this.read(bytes));
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => this.fail(new Error("The connection was closed before the answer was complete")));
  }

  /** Resolves with the time to the first byte of the body and to the last, in milliseconds. */
  ask(bytes, onFirst) {
    return new Promise((resolve, reject) => {
      this.head = "";
      this.tail = "";
      this.left = undefined;
      this.firstMs = undefined;
      this.call = { resolve, reject, onFirst, startMs: performance.now() };
      this.socket.write(bytes);
    });
  }

  read(bytes) {
    if (this.call === undefined) return;
    let body = bytes;
    if (this.head !== undefined) {
      this.head += bytes.latin1Slice();
      const end = this.head.indexOf("\r\n\r\n") + 4;
      if (end < 4) return;
      if (!this.head.startsWith("HTTP/1.1 200")) return this.fail(new Error(this.head.slice(0, 500)));
      this.left = /\r\ncontent-length: (\d+)/i.exec(this.head.slice(0, end))?.[1];
      body = bytes.subarray(bytes.length - (this.head.length - end));
      this.head = undefined;
    }
    if (body.length === 0) return;
    if (this.firstMs === undefined) {
      this.firstMs = performance.now() - this.call.startMs;
      this.call.onFirst?.();
    }
    if (this.left !== undefined) {
      this.left -= body.length;
      if (this.left > 0) return;
    } else {
      this.tail = (this.tail + body.latin1Slice(Math.max(0, body.length - END.length))).slice(-END.length);
      if (this.tail !== END) return;
    }
    const { resolve, startMs } = this.call;
    this.call = undefined;
    resolve({ firstMs: this.firstMs, totalMs: performance.now() - startMs });
  }

  fail(error) {
    this.isBroken = true;
    this.call?.reject(error);
    this.call = undefined;
  }

  close() {
    this.call = undefined;
    this.socket.destroy();
  }
}
