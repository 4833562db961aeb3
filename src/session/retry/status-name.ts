import type { Failure } from "../../kernel/index.ts";

/** What retries are counted by. A stream that broke off came with status 200, which is not what went wrong. */
export function statusName({ status, kind }: Pick<Failure, "kind"> & Partial<Failure>): string {
  return status === undefined || status < 400 ? kind : String(status);
}
