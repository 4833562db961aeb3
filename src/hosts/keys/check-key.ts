import { FEWEST_SECRET_CHARS as FEWEST } from "../../credentials/index.ts";
import { InvalidInput } from "../../kernel/index.ts";

const MOST = 4096;

/** A key as it was typed or piped, without the line end. The value itself is never part of a message. */
export function checkKey(given: string): string {
  const key = given.trim();
  const shown = `${key.length} characters`;
  if (key.length < FEWEST || key.length > MOST)
    throw new InvalidInput("key", shown, `of ${FEWEST} to ${MOST} characters`);
  // A key must fit into an HTTP header; a comma would split it in the environment.
  if (!/^[!-+\--~]+$/.test(key)) throw new InvalidInput("key", shown, "one word of plain characters without a comma");
  return key;
}
