import { writeFileSync } from "node:fs";
import { RPC_DOCUMENT, rpcDocument } from "./rpc-document.ts";

writeFileSync(RPC_DOCUMENT, rpcDocument().shouldBe);
