/** Parses JSON that a person has written. A mistake throws an error that names its line. */
export function parseFile(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    const line = text.slice(0, mistakeIn(text)).split("\n").length;
    throw new Error(`line ${line}: ${message.replace(/\s+/g, " ")}`);
  }
}

/**
 * Where a text stops being the beginning of JSON. Not every engine tells, so it is searched for: a beginning that is fine fails only at its
 * end.
 */
function mistakeIn(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  // The end of the file is on the line of its last character.
  return good === text.length ? text.trimEnd().length : good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : "";
    const at = /position (\d+)/.exec(message)?.[1];
    return /end of JSON|[Uu]nterminated/.test(message) || (at !== undefined && Number(at) >= text.length);
  }
}
