/** Code points that take two columns: CJK, Hangul, full-width forms, emoji. As [first, last], ascending. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f9ff],
  [0x20000, 0x3fffd],
];

/** Columns that a text without control characters takes in a terminal. Providers answer in Chinese, too. */
export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

export function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (/\p{Mark}/u.test(char)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
