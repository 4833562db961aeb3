import { runMatrix } from "../faults/run-matrix.ts";
import { writeWithout } from "../faults/support/without.ts";
import { eventsDocument } from "./events-document.ts";
import { faultsDocument } from "./faults-document.ts";
import { rpcDocument } from "./rpc-document.ts";
import { serverDocuments } from "./server-document.ts";

rpcDocument().write();
(await eventsDocument()).write();
for (const document of await serverDocuments()) document.write();
const results = await runMatrix();
writeWithout(results);
faultsDocument(results).write();
// The SDKs follow a hint of hours, and their timers would hold the process.
process.exit();
