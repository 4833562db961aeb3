import { stripVTControlCharacters } from "node:util";
import { ANSWER } from "./situations.ts";

/** `repeated`: whole, but the beginning of an earlier attempt stands before it. */
export type Seen = "whole" | "repeated" | "half" | "nothing";

const BEGINNING = ANSWER.slice(0, 20);

/** How much of the answer the user has. */
export function judgeOutput(stdout: string): Seen {
  const text = stripVTControlCharacters(stdout).replace(/\s+/g, " ");
  const beginnings = text.split(BEGINNING).length - 1;
  if (beginnings === 0) return "nothing";
  if (!text.includes(ANSWER)) return "half";
  return beginnings === 1 ? "whole" : "repeated";
}

const LONGEST = 160;
/** Stack frames, and lines of nothing but brackets. */
const NOISE = /^(?:at |[{}[\]\s]*$|\d+ \|)/;

/** The line that tells what went wrong, without paths and ids of this run. */
export function errorText(stdout: string, stderr: string): string {
  const lines = stripVTControlCharacters(`${stdout}\n${stderr}`)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !NOISE.test(line));
  const line =
    lines.findLast((one) => /error|fail|exceed|unavailable|overload|retr|gave up/i.test(one)) ?? lines.at(-1) ?? "";
  const plain = line.replace(/\/tmp\/\S+/g, "…").replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://…");
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST)}…`;
}
