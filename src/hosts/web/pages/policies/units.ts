/** Units that a time may be typed in, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const GROUPED = /^[+-]?\d{1,3}(?:[,\u2009\u202f]\d{3})+(?:\.\d+)?$/;
const AMOUNT_AND_UNIT = /^(.*?)\s*([a-z]+)$/i;

/** A number as people type it, with or without commas between thousands; undefined: it is none. */
export function readNumber(text: string): number | undefined {
  return readShifted(text, 0);
}

/** Milliseconds of a time as people type it: seconds, or with a unit (`500 ms`, `2 min`, `8 h`). Undefined: it is no time. */
export function readSeconds(text: string): number | undefined {
  const seconds = readShifted(text, 3);
  if (seconds !== undefined) return seconds;
  const [, amount = "", unit = ""] = AMOUNT_AND_UNIT.exec(text.trim()) ?? [];
  if (unit.toLowerCase() === "s") return readShifted(amount, 3);
  const size = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  const value = readShifted(amount, 0);
  return size === undefined || value === undefined ? undefined : finite(value * size);
}

/** A share, 0 to 1, of a percentage as people type it. */
export function readPercent(text: string): number | undefined {
  return readShifted(text.replace(/\s*%\s*$/, ""), -2);
}

/** Milliseconds as seconds, for a field. `readSeconds` gives back exactly the same number. */
export function writeSeconds(ms: number): string {
  return writeShifted(ms, -3);
}

/** A share as a percentage, for a field. `readPercent` gives back exactly the same number. */
export function writePercent(share: number): string {
  return writeShifted(share, 2);
}

// The decimal point is moved in the text: 1.1 * 1000 would be 1100.0000000000002.

function readShifted(text: string, places: number): number | undefined {
  const trimmed = text.trim();
  const plain = GROUPED.test(trimmed) ? trimmed.replace(/[,\u2009\u202f]/g, "") : trimmed;
  if (!NUMBER.test(plain)) return undefined;
  const [mantissa, exponent = "0"] = plain.toLowerCase().split("e");
  return finite(Number(`${mantissa}e${Number(exponent) + places}`));
}

function writeShifted(value: number, places: number): string {
  if (value < 0) return `-${writeShifted(-value, places)}`;
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", part = ""] = mantissa.split(".");
  const digits = whole + part;
  const point = whole.length + Number(exponent) + places;
  if (point > MOST_DIGITS || point < -MOST_DIGITS) return `${mantissa}e${Number(exponent) + places}`;
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const at = Math.max(point, 1);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  const right = padded.slice(at).replace(/0+$/, "");
  return right === "" ? left : `${left}.${right}`;
}

/** Longer numbers are written with an exponent. */
const MOST_DIGITS = 20;

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
