import { eventsDocument } from "./events-document.ts";
import { rpcDocument } from "./rpc-document.ts";

rpcDocument().write();
(await eventsDocument()).write();
