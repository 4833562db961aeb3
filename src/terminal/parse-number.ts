import { checkNumber } from "../kernel/index.ts";

/** The number that an option gives as plain decimal digits. Throws `InvalidInput` naming the option. */
export function parseNumber(option: string, text: string, bounds: Parameters<typeof checkNumber>[2]): number {
  return checkNumber(option, /^\d{0,15}\.?\d{1,15}$/.test(text) ? Number(text) : text, bounds);
}
