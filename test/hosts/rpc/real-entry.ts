import { rpc } from "../../../src/hosts/rpc/rpc.ts";

// The host as the command line runs it, on real parts; the environment says where the store and the keys are.
const at = process.argv.indexOf("--model");
const model = process.argv[at + 1];
process.exitCode = await rpc(at < 0 || model === undefined ? {} : { model });
