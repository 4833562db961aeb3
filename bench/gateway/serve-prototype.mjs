// The floor for a gateway in Node: undici's dispatch without fetch and without streams, whole requests, held headers.
import { createServer } from "node:http";
import { Pool } from "undici";

const pool = new Pool(process.argv[2], { connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const HOP_BY_HOP = new Set([
  "connection",
  "host",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "te",
  "upgrade",
]);

/** One object for each call; undici calls it directly. */
class Relay {
  constructor(response) {
    this.response = response;
    this.isStarted = false;
    this.abort = undefined;
    this.left = -1;
  }

  onConnect(abort) {
    this.abort = abort;
  }

  /** Held until the first bytes: until then a gateway can still retry. */
  onHeaders(status, rawHeaders, resume) {
    this.status = status;
    this.resume = resume;
    const headers = [];
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i].latin1Slice();
      const lower = name.toLowerCase();
      if (lower === "content-length") this.left = Number(rawHeaders[i + 1].latin1Slice());
      else if (HOP_BY_HOP.has(lower)) continue;
      headers.push(name, rawHeaders[i + 1].latin1Slice());
    }
    this.headers = headers;
    return true;
  }

  onData(bytes) {
    const { response } = this;
    if (!this.isStarted) {
      this.isStarted = true;
      response.writeHead(this.status, this.headers);
      // The whole answer in one piece: one write instead of two.
      if (bytes.length === this.left) return response.end(bytes);
      response.on("drain", this.resume);
    }
    return response.write(bytes);
  }

  onComplete() {
    if (!this.isStarted) this.response.writeHead(this.status, this.headers);
    if (!this.response.writableEnded) this.response.end();
  }

  onError() {
    if (!this.response.headersSent) this.response.writeHead(502);
    this.response.destroy();
  }
}

function forwarded(rawHeaders) {
  const headers = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!HOP_BY_HOP.has(rawHeaders[i].toLowerCase())) headers.push(rawHeaders[i], rawHeaders[i + 1]);
  }
  return headers;
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (bytes) => chunks.push(bytes));
  request.on("end", () => {
    const relay = new Relay(response);
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const headers = forwarded(request.rawHeaders);
    response.on("close", () => {
      if (!response.writableFinished) relay.abort?.();
    });
    pool.dispatch({ path: request.url, method: request.method, headers, body }, relay);
  });
});
server.listen(0, "127.0.0.1", 2048, () => process.send({ port: server.address().port }));
