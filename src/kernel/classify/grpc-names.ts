/** gRPC's statuses, by their number. */
export const GRPC_NAMES: readonly string[] =
  "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED".split(
    " ",
  );

const ANY = GRPC_NAMES.slice(1).join("|").replaceAll("_", "_?");
/** Go's "code = Internal", Python's "StatusCode.UNAVAILABLE", grpc-js' "14 UNAVAILABLE: …". */
const IN_TEXT = new RegExp(`(?:StatusCode\\.|\\bcode = |\\b\\d{1,2} (?=[A-Z_]{7,20}:))(${ANY})\\b`, "i");

/** Most texts name none: this is found out at less cost. */
const MAY_NAME = /tatusCode\.|code = |\d [A-Z_]{7}/;

/** The first of them that a text names as the status of a call. */
export function grpcInText(text: string): string | undefined {
  return MAY_NAME.test(text) ? IN_TEXT.exec(text)?.[1] : undefined;
}
