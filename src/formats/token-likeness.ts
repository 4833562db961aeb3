const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const SPACE = 32;

/** Strings that differ from token to token. `obfuscation`: OpenAI's padding against those who watch the length of packets. */
const TEXTS: ReadonlySet<string> = new Set("content text thinking reasoning reasoning_content delta".split(" "));
const PADDING = "obfuscation";

/** A string of an event that may be another in the next one. */
interface Hole {
  /** Behind its opening quote. */
  readonly from: number;
  /** Where its closing quote stands. */
  readonly to: number;
  readonly isText: boolean;
}

/**
 * Recognises events that differ from a known token only in its text and in numbers: they mean the same, which is seen from their bytes,
 * without decoding, parsing or searching them. Nearly all chunks of an answer are such events.
 */
export class TokenLikeness {
  private readonly known: Uint8Array;
  private readonly holes: readonly Hole[];

  private constructor(known: Uint8Array, holes: readonly Hole[]) {
    this.known = known;
    this.holes = holes;
  }

  /** `event`: one that ends with its blank line and is known to be a token. Undefined: it has no text to tell it by. */
  static of(event: Uint8Array): TokenLikeness | undefined {
    const holes = holesIn(event);
    // A copy: the bytes belong to the reader. Not `slice`, which is a view of them if they are a Buffer.
    return holes.some(({ isText }) => isText) ? new TokenLikeness(new Uint8Array(event), holes) : undefined;
  }

  /** Whether all of the bytes are such events. */
  matches(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; ) {
      const end = this.endOfEvent(bytes, at);
      if (end === -1) return false;
      at = end;
    }
    return true;
  }

  /** Behind an event like the known one; -1: it is not. */
  private endOfEvent(bytes: Uint8Array, from: number): number {
    const { known, holes } = this;
    let at = from;
    let place = 0;
    let hasText = false;
    for (const { from: start, to, isText } of holes) {
      at = sameUpTo(bytes, at, known, place, start);
      if (at === -1) return -1;
      const end = endOfText(bytes, at);
      if (end === -1) return -1;
      if (isText && end > at) hasText = true;
      at = end;
      place = to;
    }
    return hasText ? sameUpTo(bytes, at, known, place, known.length) : -1;
  }
}

/** Compares what is known, but for its numbers. Returns where it ends in the bytes; -1: they differ. */
function sameUpTo(bytes: Uint8Array, from: number, known: Uint8Array, start: number, end: number): number {
  let at = from;
  for (let place = start; place < end; ) {
    if (bytes[at] === known[place]) {
      at++;
      place++;
      continue;
    }
    // A number of other digits: at the first that differs, or where one of them is over.
    if (!isDigit(known[place]) && !(isDigit(bytes[at]) && isDigit(known[place - 1]))) return -1;
    if (isDigit(known[place]) && !isDigit(bytes[at]) && !isDigit(bytes[at - 1])) return -1;
    while (place < end && isDigit(known[place])) place++;
    while (isDigit(bytes[at])) at++;
  }
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

/** Where the closing quote of a string stands; -1: it has none, or what no string may have. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte < SPACE) return -1;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

function holesIn(event: Uint8Array): readonly Hole[] {
  const holes: Hole[] = [];
  let name = "";
  for (let at = 0; at < event.length; at++) {
    if (event[at] !== QUOTE) {
      // Only what stands right behind a name is its value.
      if (event[at] !== COLON && event[at] !== SPACE) name = "";
      continue;
    }
    const end = endOfText(event, at + 1);
    if (end === -1) return [];
    const isText = TEXTS.has(name);
    if (isText || name === PADDING) holes.push({ from: at + 1, to: end, isText });
    name = nameAt(event, at + 1, end);
    at = end;
  }
  return holes;
}

/** The names that count are short, and begin with one of these: c d o r t. */
const INITIALS: ReadonlySet<number | undefined> = new Set([99, 100, 111, 114, 116]);
const LONGEST_NAME = "reasoning_content".length;

function nameAt(event: Uint8Array, from: number, to: number): string {
  if (to - from > LONGEST_NAME || event[to + 1] !== COLON || !INITIALS.has(event[from])) return "";
  let name = "";
  for (let at = from; at < to; at++) name += String.fromCharCode(event[at] as number);
  return name;
}
