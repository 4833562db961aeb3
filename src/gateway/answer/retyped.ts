import { linesOf, pairsIn } from "../upstream/header-lines.ts";
import { type Head, plainHead } from "../upstream/read-head.ts";

/** The same head for a body of another type. */
export function retyped(head: Head, type: string): Head {
  const others = pairsIn(head.passed).filter((_, at, all) => all[at - (at % 2)]?.toLowerCase() !== "content-type");
  return { ...plainHead(head), type, passed: linesOf(["content-type", type, ...others]) };
}
