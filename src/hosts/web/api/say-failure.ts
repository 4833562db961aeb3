import { COMMON_TEXTS } from "../texts/common.ts";
import { language } from "../texts/language.ts";
import { ApiFailure } from "./api-failure.ts";

/** A failed request in words: the server's own where it gave any. */
export function sayFailure(error: unknown): string {
  const { errors } = COMMON_TEXTS[language.value];
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error);
  if (error.message !== "") return error.message;
  return error.status === 0 ? errors.network : errors.status(error.status);
}
