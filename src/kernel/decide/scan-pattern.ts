interface PatternScan {
  /** The first thing that the engine cannot do in bounded time, in words; null if there is none. */
  readonly unsupported: string | null;
  /** About how many instructions the pattern compiles to. Known before compiling, which is what takes the time. */
  readonly size: number;
}

/** Longest first: `(?<=` begins like a named group `(?<`. */
const GROUPS: readonly (readonly [opening: string, name: string])[] = [
  ["(?<=", "a look-behind, (?<=…)"],
  ["(?<!", "a negative look-behind, (?<!…)"],
  ["(?=", "a look-ahead, (?=…)"],
  ["(?!", "a negative look-ahead, (?!…)"],
  ["(?>", "an atomic group, (?>…)"],
  ["(?(", "a condition, (?(…)…)"],
  ["(?R", "a recursion, (?R)"],
];

const BACK_REFERENCE = /^\\(?:[1-9]\d*|k<[^>]*>)/;
const REPEAT = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/;
const LONGEST_TOKEN = 80;

/** One pass over a pattern in JavaScript's notation, from left to right. Does not check whether it is valid. */
export function scanPattern(pattern: string): PatternScan {
  // The size of each open group so far; `atom` is what a following quantifier would repeat.
  const open: number[] = [];
  let total = 0;
  let atom = 0;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + LONGEST_TOKEN);
    switch (rest[0]) {
      case "\\": {
        const reference = BACK_REFERENCE.exec(rest);
        if (reference !== null) return { unsupported: `a back-reference, ${reference[0]}`, size: total + atom };
        total += atom;
        atom = 1;
        at += 2;
        continue;
      }
      case "[":
        total += atom;
        atom = 1;
        at = endOfClass(pattern, at);
        continue;
      case "(": {
        const group = GROUPS.find(([opening]) => rest.startsWith(opening));
        if (group !== undefined) return { unsupported: group[1], size: total + atom };
        open.push(total + atom);
        total = 0;
        atom = 0;
        break;
      }
      case ")":
        // 2: a group marks its beginning and its end.
        atom += total + 2;
        total = open.pop() ?? 0;
        break;
      case "{": {
        const repeat = REPEAT.exec(rest);
        atom *= repeat === null ? 1 : Math.max(Number(repeat[1]), Number(repeat[2] ?? 0), 1);
        at += repeat?.[0].length ?? 1;
        continue;
      }
      case "*":
      case "+":
      case "?":
        atom += 1;
        break;
      default:
        total += atom;
        atom = 1;
    }
    at++;
  }
  // Unclosed groups are left to the compiler to report.
  return { unsupported: null, size: open.reduce((sum, size) => sum + size, total + atom) };
}

/** Longer patterns are refused: folding the case of many large classes takes milliseconds each. */
const MOST_CHARACTERS = 1000;
/** Larger programs are refused: at some 30 ns per character and instruction they would never be checked in time. */
export const MOST_INSTRUCTIONS = 10_000;
/** The regex engine knows no larger count. */
const MOST_REPEATS = 1000;

/** Why a pattern can't be used, as far as that can be known without the regex engine; undefined: nothing is wrong so far. */
export function whyUnusable(pattern: string, flags: string): string | undefined {
  const unknown = /[^imsgu]/.exec(flags)?.[0];
  if (unknown !== undefined) return `has the flag "${unknown}", but only i, m and s are possible.`;
  if (pattern.length > MOST_CHARACTERS) return `is longer than ${MOST_CHARACTERS} characters.`;
  const { unsupported, size } = scanPattern(pattern);
  if (unsupported !== null) {
    return `uses ${unsupported}, which cannot be checked in bounded time. Write it without.`;
  }
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [
    Number(least),
    Number(most ?? 0),
  ]);
  if (counts.some((count) => count > MOST_REPEATS))
    return `has a count over ${MOST_REPEATS}, the largest that is possible.`;
  if (size > MOST_INSTRUCTIONS) return TOO_LARGE;
  return undefined;
}

/** Escapes and classes, which stay as they are, and what RE2 takes beyond JavaScript's notation: inline flags and Python's names. */
const TOKENS = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?P<|\(\?[imsU]*(?:-[imsU]+)?[:)]/g;

/** Why a pattern is no regular expression, in the words of the JavaScript engine; undefined: it is one. */
export function whyInvalid(pattern: string): string | undefined {
  const plain = pattern.replace(TOKENS, (token) => {
    if (token === "(?P<") return "(?<";
    if (!token.startsWith("(?")) return token;
    return token.endsWith(":") ? "(?:" : "";
  });
  try {
    new RegExp(plain);
    return undefined;
  } catch (error) {
    // "Invalid regular expression: /(/: Unterminated group": the pattern itself is named elsewhere.
    const said = error instanceof Error ? error.message : String(error);
    return said.slice(said.lastIndexOf("/: ") < 0 ? 0 : said.lastIndexOf("/: ") + 3);
  }
}

export const TOO_LARGE = "repeats too much: spelled out it would be too large to be checked in time.";

/** Nothing inside `[…]` is a group, a quantifier or a reference. */
function endOfClass(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
  }
  return pattern.length;
}
