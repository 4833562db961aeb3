import type { FrameGlobals } from "./host.ts";

/** Where the settings live: the script's own variables, flat, beside whatever else is kept there. */
export interface Storage {
  read(): unknown;
  write(changes: Readonly<Record<string, unknown>>): void;
}

export function scriptVariables(frame: FrameGlobals): Storage {
  const ours = { type: "script" } as const;
  return {
    read: () => frame.getVariables(ours),
    // A plain copy: the host keeps what it gets, and must not keep our reactive objects.
    write: (changes) => void frame.insertOrAssignVariables(JSON.parse(JSON.stringify(changes)), ours),
  };
}
