import { show } from "../model/invalid-input.ts";
import type { Setup } from "./setup.ts";

/** Why what a call returned could not be read as a stream: `problem` if its iterator threw, a failed `Response`, or it is no stream. */
export async function whyNotOpened(opened: unknown, problem: unknown, { problemIn, ports }: Setup): Promise<unknown> {
  const isObject = typeof opened === "object" && opened !== null;
  if (isObject && Symbol.asyncIterator in opened) return problem;
  const found = isObject ? problemIn?.(opened, ports) : undefined;
  return found ?? new TypeError(`The streamed call must return an async iterable; got ${show(opened)}`);
}
