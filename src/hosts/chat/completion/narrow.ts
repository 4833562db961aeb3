import type { Choice } from "../commands/command.ts";

const MOST_CHOICES = 200;

/** The choices that fit what is typed: those that begin with it, then those that contain it. None if it is complete already. */
export function narrow(choices: readonly Choice[], word: string): readonly Choice[] {
  const typed = word.toLowerCase();
  const bare = typed.replace(/^[/@]/, "");
  const begins = choices.filter(({ text }) => text.toLowerCase().startsWith(typed));
  const contains = choices.filter((one) => !begins.includes(one) && one.text.toLowerCase().slice(1).includes(bare));
  // The whole word first: `/model` before `/models`.
  const fitting = [...begins.toSorted((one, other) => rank(one, word) - rank(other, word)), ...contains];
  const [first] = fitting;
  return fitting.length === 1 && first?.text === word ? [] : fitting.slice(0, MOST_CHOICES);
}

function rank({ text }: Choice, word: string): number {
  return text === word ? 0 : 1;
}

/** What all of them begin with. */
export function commonStart(choices: readonly Choice[]): string {
  const [first, ...others] = choices.map(({ text }) => text);
  let length = first?.length ?? 0;
  for (const other of others) while (!other.startsWith(first?.slice(0, length) ?? "")) length -= 1;
  return first?.slice(0, length) ?? "";
}
