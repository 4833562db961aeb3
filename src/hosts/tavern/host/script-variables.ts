import type { FrameGlobals } from "./host.ts";

/** The script's own variables, where the settings are stored flat, beside other values. */
export interface Storage {
  read(): unknown;
  write(changes: Readonly<Record<string, unknown>>): void;
}

export function scriptVariables(frame: FrameGlobals): Storage {
  const ours = { type: "script" } as const;
  return {
    read: () => frame.getVariables(ours),
    // A plain copy: the host keeps the object, which must not be reactive.
    write: (changes) => void frame.insertOrAssignVariables(JSON.parse(JSON.stringify(changes)), ours),
  };
}
