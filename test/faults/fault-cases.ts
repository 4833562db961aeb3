import { BODY_CASES } from "./body-cases.ts";
import { CONNECT_CASES } from "./connect-cases.ts";
import { EVENT_CASES } from "./event-cases.ts";
import type { FaultCase } from "./fault-case.ts";
import { HEADER_CASES } from "./header-cases.ts";
import { TIME_CASES } from "./time-cases.ts";

/** The faults that a server can produce, in the order of the catalogue. */
export const FAULT_CASES: readonly FaultCase[] = [
  ...CONNECT_CASES,
  ...HEADER_CASES,
  ...BODY_CASES,
  ...EVENT_CASES,
  ...TIME_CASES,
].sort((one, other) => one.fault - other.fault);
