import { eventsDocument } from "./events-document.ts";
import { rpcDocument } from "./rpc-document.ts";
import { serverDocuments } from "./server-document.ts";

rpcDocument().write();
(await eventsDocument()).write();
for (const document of await serverDocuments()) document.write();
