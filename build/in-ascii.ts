/** What is not ASCII stands in strings, patterns and names only, where an escape is the same. */
export function inAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
