// What people write first: node:http on both sides, joined by pipes.
import { Agent, createServer, request } from "node:http";

const upstream = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ host: upstream.hostname, port: upstream.port, agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
});
server.listen(0, "127.0.0.1", 2048, () => process.send({ port: server.address().port }));
