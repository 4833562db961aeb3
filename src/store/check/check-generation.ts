import type { StoredGeneration } from "../store.ts";
import { checkName, encodeJson } from "./check-text.ts";

/** The row of a generation. */
export function encodeGeneration({ id, record }: StoredGeneration): { readonly id: string; readonly record: string } {
  return { id: checkName("generation.id", id), record: encodeJson("generation.record", record) };
}
