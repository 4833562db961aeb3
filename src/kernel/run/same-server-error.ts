import type { Failure } from "../model/failure.ts";

/** Only a plain 500: a gateway's 502–504 or 529 says the same words all through an outage that does pass. */
export function isSameServerError(before: Failure | undefined, now: Failure): boolean {
  return (
    before !== undefined &&
    now.status === 500 &&
    before.status === 500 &&
    now.kind === "server" &&
    now.target === before.target &&
    now.message !== "" &&
    now.message === before.message
  );
}
