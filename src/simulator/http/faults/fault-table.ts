import type { Performance } from "../wire/reply.ts";
import { BODY_FAULTS } from "./body-faults.ts";
import { type FaultScene, type FaultTable, refusalReply, reply } from "./fault.ts";
import { FRAME_FAULTS } from "./frame-faults.ts";
import { HEADER_FAULTS } from "./header-faults.ts";
import { HINT_FAULTS } from "./hint-faults.ts";
import { SSE_FAULTS } from "./sse-faults.ts";
import { TIME_FAULTS } from "./time-faults.ts";

/** Every fault of the catalogue that a server can produce once a connection stands. */
export const FAULTS: FaultTable = {
  ...HEADER_FAULTS,
  ...BODY_FAULTS,
  ...SSE_FAULTS,
  ...FRAME_FAULTS,
  ...TIME_FAULTS,
  ...HINT_FAULTS,
};

/** What no answer can produce, and what does instead. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5].map((number) => [number, "arises before a connection stands: use setUpFault"])),
  44: "is the client's clock: use a virtual one",
  45: "is the client's clock: use a virtual one",
};

/** Performs a fault by its number, or explains in the provider's own words why it cannot. */
export function performFault(number: number, scene: FaultScene): Performance {
  const fault = FAULTS[number];
  const refuse = (why: string): Performance =>
    reply(refusalReply(scene, { problem: "bad-request", message: `Simulator: fault ${number} ${why}.` }));
  if (fault === undefined) return refuse(ELSEWHERE[number] ?? "is not in the catalogue");
  const { isStreaming, framing } = scene.ask;
  if (fault.needs !== undefined && !isStreaming) return refuse(`(${fault.title}) needs a stream`);
  if (fault.needs === "sse" && framing !== "sse") return refuse(`(${fault.title}) needs alt=sse`);
  return fault.perform(scene);
}
