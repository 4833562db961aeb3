import type { Reaction } from "../wire/reply.ts";
import { BODY_FAULTS } from "./body-faults.ts";
import { errorReply, type FaultContext, type FaultDescription, type FaultTable, reply } from "./fault.ts";
import { FRAME_FAULTS } from "./frame-faults.ts";
import { HEADER_FAULTS } from "./header-faults.ts";
import { HINT_FAULTS } from "./hint-faults.ts";
import { SSE_FAULTS } from "./sse-faults.ts";
import { TIME_FAULTS } from "./time-faults.ts";

const TABLE: FaultTable = {
  ...HEADER_FAULTS,
  ...BODY_FAULTS,
  ...SSE_FAULTS,
  ...FRAME_FAULTS,
  ...TIME_FAULTS,
  ...HINT_FAULTS,
};

/** Every fault of the catalogue that a server can produce on an established connection. */
export const FAULTS: Readonly<Record<number, FaultDescription>> = Object.fromEntries(
  Object.entries(TABLE).map(([number, { react: _, ...description }]) => [number, description]),
);

/** Faults that no reply can produce, and what does instead. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, "happens before a connection exists: use startConnectFault"])),
  44: "concerns the client's clock: use the virtual clock",
  45: "concerns the client's clock: use the virtual clock",
};

/** A fault by its number, or a 400 that explains why it is not possible. */
export function faultReaction(number: number, context: FaultContext): Reaction {
  const fault = TABLE[number];
  const reject = (why: string): Reaction =>
    reply(errorReply(context, { name: "bad-request", message: `Simulator: fault ${number} ${why}.` }));
  if (fault === undefined) return reject(ELSEWHERE[number] ?? "is not in the catalogue");
  const { isStreaming, framing } = context.request;
  if (fault.needs !== undefined && !isStreaming) return reject(`(${fault.title}) needs a stream`);
  if (fault.needs === "sse" && framing !== "sse") return reject(`(${fault.title}) needs alt=sse`);
  return fault.react(context);
}
