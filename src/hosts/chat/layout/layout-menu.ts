import { textWidth } from "../../../terminal/index.ts";
import type { Menu } from "../state/menu.ts";
import { clip } from "./clip.ts";
import { harmlessLine, type Line, span } from "./line.ts";

const GAP = 2;
const MOST_ROWS = 8;

/** The menu above the input: at most `height` lines, those around the selected one, and how many are not shown. */
export function layoutMenu({ choices, selected }: Menu, width: number, height: number): readonly Line[] {
  const most = Math.min(MOST_ROWS, height);
  if (most < 1) return [];
  const rows = choices.length <= most ? choices.length : Math.max(1, most - 1);
  const top = Math.max(0, Math.min(selected - rows + 1 + Math.floor(rows / 2), choices.length - rows));
  const shown = choices.slice(top, top + rows).map(({ text, hint = "" }) => [harmlessLine(text), harmlessLine(hint)]);
  const column = Math.max(...shown.map(([text = ""]) => textWidth(text))) + GAP;
  const lines = shown.map(([text = "", hint = ""], index): Line => {
    const isSelected = top + index === selected;
    const name = clip(text, width - 2);
    const room = width - 2 - column;
    const gap = " ".repeat(Math.max(0, column - textWidth(name)));
    const aside = hint === "" || room < 8 ? [] : [span(gap + clip(hint, room), "dim")];
    return [isSelected ? span(`› ${name}`, "you") : span(`  ${name}`), ...aside];
  });
  const hidden = choices.length - rows;
  return hidden > 0 && most > 1 ? [...lines, [span(`  … ${hidden} more`, "dim")]] : lines;
}
