import { classify, type FailureKind } from "../../../../../kernel/index.ts";

/** Asks the engine's own classifier about an error as the events carry it, such as "HTTP 429: {…}" with code "429". */
export function classifyMessage(message: string, code: string | undefined): FailureKind {
  const status = /^[1-5]\d\d$/.test(code ?? "") ? Number(code) : undefined;
  const body = message.replace(/^HTTP [1-5]\d\d:?\s*/, "");
  if (status !== undefined) return classify({ status, body }).kind;
  return classify(code === undefined ? { message } : { message, code }).kind;
}
