const MOST_PEEKED = 400;
const DEEPEST = 512;
const GOOD =
  /^\s*\{(?:(?!"error"|"base_resp"|"status"\s*:\s*"failed")[\s\S])*"(?:choices|content|candidates|data|output|embedding)"\s*:\s*[[{]/;
/** `"content":""` or `null` and the like: whether that is an answer is decided by all of it. */
const EMPTY = /"content"\s*:\s*(?:""|null|\[\s*\])|"parts"\s*:\s*\[\s*\]|"output"\s*:\s*\[\s*\]/;
/** An error in the middle, and arguments that must parse. Inside a string the quotes would be escaped. */
const TO_BE_READ = ['"error"', '"tool_calls"', '"function_call"', '"base_resp"'];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether a whole answer is good for sure, without parsing it: that takes milliseconds for each megabyte, and holds up everything
 * else. False: only the parser knows. `text` may have one character for each byte.
 */
export function isPlainlyGood(text: string): boolean {
  const start = text.slice(0, MOST_PEEKED);
  return GOOD.test(start) && !EMPTY.test(start) && !TO_BE_READ.some((word) => text.includes(word)) && isClosed(text);
}

/** Whether every string, list and object ends, and nothing follows. A body that was cut may end in a brace by chance. */
function isClosed(text: string): boolean {
  const open = new Uint8Array(DEEPEST);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      do {
        at = text.indexOf('"', at + 1);
        if (at === -1) return false;
      } while (isEscaped(text, at));
    } else if (code === 0x7b || code === 0x5b) {
      if (depth === DEEPEST) return false;
      // The code of the bracket that closes it.
      open[depth++] = code + 2;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth === 0 || open[--depth] !== code) return false;
      if (depth === 0) return text.slice(at + 1).trim() === "";
    }
  }
  return false;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
  return (at - from) % 2 === 1;
}
