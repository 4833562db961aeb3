import type { Door, Format } from "./support/clients.ts";
import type { PlaceName } from "./support/places.ts";

/** One fault as the simulator's model plays it, and what a person sees of it with Secondwind, in every format and through every door. */
export interface FaultCase {
  /** Its number in the catalogue. */
  readonly fault: number;
  readonly title: string;
  /** `fault-35@1` happens once, `fault-35` to every request. */
  readonly model: string;
  /** What is seen with Secondwind: streaming. */
  readonly streamed: string;
  /** The same without streaming. Undefined: the fault needs a stream, or is the same without one. */
  readonly whole?: string;
  /** The answer that is expected, if it is not the usual one. */
  readonly text?: string;
  /** The answer is a tool call. */
  readonly hasTool?: true;
  /** Without a watchdog it would not end: runs on its own, with short limits. */
  readonly isQuiet?: true;
  /** Where the requests go, if not to the simulator itself. */
  readonly place?: PlaceName;
  /** How long a person waits without Secondwind, where the fault is known to hang. */
  readonly limitMs?: number;
  /** Chat and responses differ: both are asked. */
  readonly isOfEvents?: true;
  /** Where something else is seen, and why. */
  readonly except?: readonly Exception[];
}

export interface Exception {
  /** Undefined: through both doors. */
  readonly door?: Door;
  /** Undefined: in every format. */
  readonly formats?: readonly Format[];
  /** Undefined: streaming or not. */
  readonly isStreaming?: boolean;
  readonly words: string;
  readonly because: string;
}

/** What a person should see with Secondwind. */
export function expectedWords(
  { streamed, whole = streamed, except = [] }: FaultCase,
  { door, format, isStreaming }: { readonly door: Door; readonly format: Format; readonly isStreaming: boolean },
): string {
  const found = except.find(
    (one) =>
      (one.door ?? door) === door &&
      (one.formats?.includes(format) ?? true) &&
      (one.isStreaming ?? isStreaming) === isStreaming,
  );
  return found?.words ?? (isStreaming ? streamed : whole);
}

export const WHOLE = "whole answer";
export const RETRIED = "whole answer, 2 calls";
