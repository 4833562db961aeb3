import { parseArgs } from "node:util";
import { rpc } from "../../../src/hosts/rpc/rpc.ts";

// The host on real parts, as the command line runs it; the environment names the store and the keys.
const options = { model: { type: "string" }, conversation: { type: "string" } } as const;
process.exitCode = await rpc(parseArgs({ options }).values);
