import { JobsError, type JobsErrorCode } from "../../../jobs/index.ts";
import { InvalidInput } from "../../../kernel/index.ts";
import { StoreError } from "../../../store/index.ts";
import { ApiProblem } from "./route.ts";

interface Explained {
  readonly status: number;
  readonly message: string;
  readonly field?: string;
  /** A fault of the server: to be reported where it runs. */
  readonly isOurs: boolean;
}

const JOB_STATUSES: Readonly<Record<JobsErrorCode, number>> = {
  "key-reused": 409,
  "too-large": 413,
  "unsafe-redis": 503,
  unreachable: 503,
  closed: 503,
};

/** What an error is for a client. The text of an unexpected one stays inside: it may have a path or a part of a prompt in it. */
export function explainProblem(fault: unknown): Explained {
  if (fault instanceof ApiProblem) {
    const { status, message, field } = fault;
    return { status, message, ...(field !== undefined && { field }), isOurs: false };
  }
  if (fault instanceof InvalidInput) return { status: 400, message: fault.message, field: fault.field, isOurs: false };
  if (fault instanceof JobsError)
    return { status: JOB_STATUSES[fault.code], message: fault.message, isOurs: JOB_STATUSES[fault.code] === 503 };
  if (fault instanceof StoreError) {
    if (fault.code === "unknown-conversation") return { status: 404, message: "Unknown conversation", isOurs: false };
    if (fault.code === "conversation-exists")
      return { status: 409, message: "The conversation already exists", isOurs: false };
    return { status: 503, message: "The store can't be used now. The server's log has the reason", isOurs: true };
  }
  return { status: 500, message: "Internal error. The server's log has the reason", isOurs: true };
}
