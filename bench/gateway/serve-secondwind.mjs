// Bundled before it is started (see contestants.ts), because users run compiled code: tsx would keep a loader thread in the process.
import { createServer } from "node:http";
import { createGateway } from "../../src/gateway/index.ts";

const gateway = createGateway({ endpoints: { openai: { baseURL: `${process.argv[2]}/v1`, format: "openai" } } });
const server = createServer((request, response) => gateway.handle(request, response));
server.listen(0, "127.0.0.1", 2048, () => process.send({ port: server.address().port }));
