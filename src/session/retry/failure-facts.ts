import type { Failure } from "../../kernel/index.ts";
import type { FailureFacts } from "../../wire/index.ts";

/** What clients are told of a failure besides its words. */
export function factsOf({ kind, status, code, evidence, target }: Failure): FailureFacts {
  return {
    kind,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(target !== undefined && { provider: target.provider }),
    evidence,
  };
}
