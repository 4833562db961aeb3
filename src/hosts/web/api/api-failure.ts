import type { ApiError } from "../../../wire/http/server.ts";

/** A request that failed. `status` 0: the server did not respond. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.name = "ApiFailure";
    this.status = status;
    this.field = field;
  }
}

/** The server's own words where there are any. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => undefined)) as Partial<ApiError> | undefined;
  return new ApiFailure(response.status, body?.error?.message ?? "", body?.error?.field);
}
