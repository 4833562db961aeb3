import type { Choice } from "../commands/command.ts";

/** Completions of the word before the cursor. */
export interface Menu {
  readonly kind: "command" | "argument" | "file";
  /** Start of the word in the input. */
  readonly from: number;
  /** Never empty. */
  readonly choices: readonly Choice[];
  /** -1: none yet. */
  readonly selected: number;
}

/** Moves the selection, from the last one on to the first and back. */
export function moveSelection(menu: Menu, by: 1 | -1): Menu {
  const count = menu.choices.length;
  const start = menu.selected === -1 && by === -1 ? 0 : menu.selected;
  return { ...menu, selected: (start + by + count) % count };
}
