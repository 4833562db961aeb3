// The floor for a gateway on node:http: our kind of client, a bare socket, and nothing else. It neither judges nor retries nor notices
// any fault: what ours costs above it is our own code.
import { createServer } from "node:http";
import { connect } from "node:net";

const upstream = new URL(process.argv[2]);
const buffer = Buffer.allocUnsafeSlow(65_536);
const idle = [];

class Connection {
  constructor() {
    this.onText = undefined;
    const onread = { buffer, callback: (count) => this.read(count) };
    this.socket = connect({ host: upstream.hostname, port: Number(upstream.port), noDelay: true, onread });
    this.socket.on("error", () => undefined);
  }

  read(count) {
    this.onText?.(buffer.latin1Slice(0, count));
    return true;
  }
}

/** Writes of one turn go out at its end, as ours do. */
let pending = [];
function atTurnEnd(act) {
  if (pending.push(act) > 1) return;
  setImmediate(() => {
    const acts = pending;
    pending = [];
    for (const write of acts) write();
  });
}

const headersIn = (head) =>
  head
    .split("\r\n")
    .slice(1)
    .flatMap((line) => line.split(": ", 2));

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (bytes) => {
    body += bytes.latin1Slice();
  });
  request.on("end", () => {
    const connection = idle.pop() ?? new Connection();
    const { rawHeaders, url } = request;
    let head = `POST ${url} HTTP/1.1\r\n`;
    for (let at = 0; at < rawHeaders.length; at += 2) head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
    let hasBegun = false;
    response.on("close", () => {
      if (!response.writableFinished) connection.socket.destroy();
    });
    const pass = (text) => {
      if (!text.endsWith("0\r\n\r\n")) return void response.write(text, "latin1");
      idle.push(connection);
      response.end(text, "latin1");
    };
    connection.onText = (text) => {
      if (hasBegun) return pass(text);
      hasBegun = true;
      const end = text.indexOf("\r\n\r\n");
      response.writeHead(200, headersIn(text.slice(0, end)));
      // Chunks pass with their frames.
      response.chunkedEncoding = false;
      if (!text.includes("content-length")) return pass(text.slice(end + 4));
      idle.push(connection);
      const { socket } = response;
      socket.cork();
      response.write(text.slice(end + 4), "latin1");
      atTurnEnd(() => {
        socket.uncork();
        response.end();
      });
    };
    atTurnEnd(() => connection.socket.write(`${head}\r\n${body}`, "latin1"));
  });
});
server.listen(0, "127.0.0.1", 2048, () => process.send({ port: server.address().port }));
