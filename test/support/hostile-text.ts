import fc from "fast-check";

/** What somebody would send who wants to have a terminal for himself. */
const WEAPONS = [
  "\u001b[31m",
  "\u001b[2J\u001b[H",
  "\u001b]0;title\u0007",
  "\u001b]52;c;ZWNobyBoYWNrZWQ=\u001b\\",
  "\u001b]8;;https://evil.example\u001b\\",
  "\u001bP+q544e\u001b\\",
  "\u001b_apc\u001b\\",
  "\u001bc",
  "\u001b[?1049h",
  "\u001b[6n",
  "\u009b31m",
  "\u009d0;title\u009c",
  "\u0007",
  "\b\b\b",
  "\r",
  "\r\n",
  "\u007f",
  "\u202e",
  "\u001b",
  "\u001b[",
  "\u001b]",
  "\u0000",
  "\u000e",
  "\u2028",
  "\u200b",
  "\u200e",
  "\u200f",
  "\u061c",
  "\u2060",
  "\u2066",
  "\ufeff",
  "\u001b(B",
  "\u001b😀",
  "\u0090q#payload\u009c",
  "\u001b]0;never ended\n",
] as const;

/** What has to stay away from a terminal. Tabs, newlines and the joiners of emoji and scripts (U+200C, U+200D) may pass. */
export const FOREIGN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** Weapons between ordinary characters, and whatever else fast-check thinks of. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...WEAPONS), fc.string({ unit: "binary", maxLength: 8 }), fc.string()), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));
