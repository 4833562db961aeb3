import type { FrameGlobals } from "./host.ts";

export type Storage = ReturnType<typeof scriptVariables>;

/** The script's own variables, where the settings are stored flat, next to other values. */
export function scriptVariables(frame: FrameGlobals) {
  const ours = { type: "script" } as const;
  return {
    read: (): unknown => frame.getVariables(ours),
    // A plain copy: the host keeps the object, which must not be reactive.
    write: (changes: object): void => void frame.insertOrAssignVariables(JSON.parse(JSON.stringify(changes)), ours),
  };
}
