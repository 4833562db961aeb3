import { startConnectFault } from "secondwind/simulator";

const server = await startConnectFault({ type: "tls", flaw: "expired" });
console.log(server.url); // Where useful, also `lookup` (for http.request or undici) and `ca`.
await server.close();
