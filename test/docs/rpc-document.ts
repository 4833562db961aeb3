import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rpcTables } from "./rpc-tables.ts";

export const RPC_DOCUMENT = fileURLToPath(new URL("../../docs/rpc.md", import.meta.url));

/** docs/rpc.md with its tables regenerated between their marks. */
export function rpcDocument(): { readonly is: string; readonly shouldBe: string } {
  const is = readFileSync(RPC_DOCUMENT, "utf8");
  const shouldBe = Object.entries(rpcTables()).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->)[^]*?(<!-- end of ${name} -->)`),
        (_, start, end) => `${start}\n\n${table}\n\n${end}`,
      ),
    is,
  );
  return { is, shouldBe };
}
