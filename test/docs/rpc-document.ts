import { regenerated } from "./regenerated.ts";
import { rpcTables } from "./rpc-tables.ts";

/** docs/rpc.md with its tables regenerated between their marks. */
export function rpcDocument() {
  return regenerated("rpc.md", rpcTables());
}
