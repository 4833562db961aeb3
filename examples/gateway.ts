import { createServer } from "node:http";
import { createGateway } from "secondwind/gateway";

const { PORT = "4747", OPENAI_BASE_URL = "https://api.openai.com/v1" } = process.env;

const gateway = createGateway({ endpoints: { openai: { baseURL: OPENAI_BASE_URL, format: "openai" } } });
const server = createServer((request, response) => gateway.handle(request, response)).listen(Number(PORT), "127.0.0.1");

process.once("SIGTERM", async () => {
  server.close();
  await gateway.close(30_000); // Requests under way get 30 s to finish.
});
