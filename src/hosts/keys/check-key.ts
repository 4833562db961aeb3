import { InvalidInput } from "../../kernel/index.ts";

/** The shortest that the redactor takes for a secret. */
const FEWEST = 8;
const MOST = 4096;

/** A key as it was typed or piped, without the line end. The value itself is never part of a message. */
export function checkKey(given: string): string {
  const key = given.trim();
  const shown = `${key.length} characters`;
  if (key.length < FEWEST || key.length > MOST)
    throw new InvalidInput("key", shown, `of ${FEWEST} to ${MOST} characters`);
  // Whatever can't stand in an HTTP header is no key; a comma would split it in the environment.
  if (!/^[!-+\--~]+$/.test(key)) throw new InvalidInput("key", shown, "one word of plain characters without a comma");
  return key;
}
