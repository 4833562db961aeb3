import { InvalidInput } from "../kernel/index.ts";
import { maskSecrets } from "./mask-secrets.ts";

const HIDDEN = "[hidden]";
const LONGEST = 32;
/** A name, an option, a number, or provider/model. Keys have digits among letters, or capitals. */
const HARMLESS = /^(?:[/-]{0,2}[a-z]+(?:[._-][a-z]+)*[A-Za-z]*|-?\d{1,9}(?:\.\d{1,9})?|[a-z][a-z-]*\/[a-z][\w.-]*)$/;
const BEGINS_LIKE_A_KEY =
  /^\W*(?:sk|pk|rk|ant|key|xai|gsk|pplx|nvapi|hf|gh[a-z]?|github_pat|glpat|xox[a-z]?|aiza)[-_/]/i;

/** A word that someone has typed, unless it could be a key in the wrong place. */
export function shownWord(word: string): string {
  const isHarmless = word.length <= LONGEST && HARMLESS.test(word) && !BEGINS_LIKE_A_KEY.test(word);
  return isHarmless ? word : HIDDEN;
}

/** The message for a failed command that was typed with its arguments: what was invalid stands in it only if it can't be a key. */
export function sayInvalid(fault: unknown): string {
  if (!(fault instanceof InvalidInput)) return maskSecrets(fault instanceof Error ? fault.message : String(fault));
  const allowed = `${fault.field} must be ${fault.allowed}`;
  const got = fault.message.slice(`${allowed}; got `.length);
  const [, text = got] = /^"(.*)"$/.exec(got) ?? [];
  const isText = text !== got;
  return isText && shownWord(text) === HIDDEN ? allowed : `${allowed}; got ${got}`;
}
