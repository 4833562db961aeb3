/** Header lines that are known to be valid, as names and values in turn. */
export function pairsIn(lines: string): string[] {
  const pairs: string[] = [];
  for (const line of lines.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) pairs.push(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return pairs;
}

/** Names and values in turn, as lines. */
export function linesOf(pairs: readonly string[]): string {
  let lines = "";
  for (let at = 0; at + 1 < pairs.length; at += 2) lines += `${pairs[at]}: ${pairs[at + 1]}\r\n`;
  return lines;
}

const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether HTTP can carry it. A line end would begin another header. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}
