/** For code. The message is for people. */
export type JobsErrorCode =
  /** Another request was submitted with this key. */
  | "key-reused"
  | "too-large"
  /** Redis is not set up to keep what was accepted. */
  | "unsafe-redis"
  | "unreachable"
  | "closed";

export class JobsError extends Error {
  readonly code: JobsErrorCode;

  constructor(code: JobsErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = "JobsError";
    this.code = code;
  }
}
