import type { FailureKind } from "../../../kernel/index.ts";

/** No other line would fare better: a rejected key, an unknown model, a used-up quota. */
export const FOR_ALL: ReadonlySet<FailureKind> = new Set(["auth", "permission", "not_found", "usage_limit"]);
