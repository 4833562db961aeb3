import { type CodeMeaning, isTabled, meaningOf, rankOf } from "./code-table.ts";
import { contradicts } from "./contradicts.ts";
import { grpcInText } from "./grpc-names.ts";
import { withoutChoices } from "./plain-text.ts";

/** A code that was found, as written, with what it means. */
export interface FoundCode {
  readonly code: string;
  readonly meaning: CodeMeaning;
}

/**
 * The weightiest of the codes that a problem carries; one that only repeats a status comes after all others. A code that the
 * failing status contradicts does not count.
 */
export function weightiestCode(codes: readonly string[], status: number | undefined): FoundCode | undefined {
  let best: FoundCode | undefined;
  for (const code of codes) {
    const meaning = meaningOf(code);
    if (meaning === undefined || (!meaning.ofGateway && contradicts(status, meaning.kind))) continue;
    if (best === undefined || rankOf(meaning) < rankOf(best.meaning)) best = { code, meaning };
  }
  return best;
}

/** Only what looks like an identifier: snake_case, CamelCase, ERRNO. Plain words are for the text rules. */
const HAS_IDENTIFIER = /_|[a-z][A-Z]|\bE[A-Z]{4}/;
const IDENTIFIER = /\b[A-Za-z][A-Za-z0-9_]{3,63}\b(?!["']?\s?[=:]\s?(?:false|none|null|nil|undefined)\b|\\?["']\s?:)/gi;
/** A part of a program is no error, whatever it works on ("OpenAIResponseParser"). */
const OF_PROGRAM =
  /[a-z](?:Parser|Handler|Client|Service|Provider|Manager|Factory|Formatter|Builder|Listener|Middleware|Adapter|Executor|Reader|Writer|Helper|Utils?|Config|Options|Request|Controller|Event|Model|Filter)$/;
/** What a trace mentions ("at responseParser") may be made of any words. */
const FUNCTION_NAME = /^[a-z]+[A-Z]\w*(?<!Error|Exception)$/;
/** Connect and Cursor put gRPC's codes in brackets: "[unavailable]", "[resource_exhausted]". */
const IN_BRACKETS = /\[([A-Za-z_]{7,24})\]/g;
const MOST_IDENTIFIERS = 64;
const MOST_BRACKET_CHARS = 2_048;

/** What the AI SDK's own check has against an answer has codes too. */
function withoutCheck(text: string): string {
  const at = text.indexOf("Type validation failed: Value:");
  return at === -1 ? text : text.slice(0, at);
}

/** The weightiest code that a free text mentions: "authentication_error: …", "An error occurred (ThrottlingException)". */
export function codeInText(text: string, status: number | undefined): FoundCode | undefined {
  const codes: string[] = [];
  if (text.includes("["))
    for (const [, word] of text.slice(0, MOST_BRACKET_CHARS).matchAll(IN_BRACKETS)) codes.push(word as string);
  const grpc = grpcInText(text);
  if (grpc !== undefined) codes.push(grpc);
  if (codes.length === 0 && !HAS_IDENTIFIER.test(text)) return undefined;
  for (const [word] of withoutChoices(withoutCheck(text)).matchAll(IDENTIFIER)) {
    if (HAS_IDENTIFIER.test(word) && ((!FUNCTION_NAME.test(word) && !OF_PROGRAM.test(word)) || isTabled(word)))
      codes.push(word);
    if (codes.length >= MOST_IDENTIFIERS) break;
  }
  return weightiestCode(codes, status);
}
