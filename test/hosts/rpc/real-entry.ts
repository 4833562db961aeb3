import { parseArgs } from "node:util";
import { rpc } from "../../../src/hosts/rpc/rpc.ts";

// The host as the command line runs it, on real parts; the environment says where the store and the keys are.
const options = { model: { type: "string" }, conversation: { type: "string" } } as const;
process.exitCode = await rpc(parseArgs({ options }).values);
