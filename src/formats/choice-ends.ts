import { joinReadings, type Meaning, type Said } from "./event-meaning.ts";

/** What one event says of one choice or candidate. */
interface ChoiceNews {
  readonly index: unknown;
  readonly hasContent: boolean;
  /** Undefined: it goes on. `news`: it ended with something that the reader has to know, such as a limit or a filter. */
  readonly end: "plain" | "news" | undefined;
}

/** Follows the choices of one answer. It has usually one; with more, the answer has ended when all that were seen have. */
export class ChoiceEnds {
  private readonly open = new Set<unknown>();
  private readonly ended = new Set<unknown>();
  private hasContent = false;
  private isOver = false;

  read({ index, hasContent, end }: ChoiceNews): Said | "unknown" {
    // What comes after the end of a choice is ignored.
    if (this.ended.has(index)) return hasContent ? "unknown" : "noise";
    const isFirst = !this.hasContent;
    if (hasContent) this.hasContent = true;
    if (end === undefined) {
      this.open.add(index);
      return hasContent ? this.unlessOver("content") : "noise";
    }
    this.open.delete(index);
    this.ended.add(index);
    const isContent = hasContent || (isFirst && end === "news");
    if (this.open.size > 0) return isContent ? this.unlessOver("content") : "noise";
    const meaning = this.unlessOver(isContent ? "content-end" : "end");
    this.isOver = true;
    return meaning;
  }

  /** A choice that begins after all others have ended still passes: after the terminal marker the engine lets noise through. */
  private unlessOver(meaning: Said): Said {
    return this.isOver ? "noise" : meaning;
  }
}

/** The meaning of an event that tells of several choices: `unknown` only if all of it is to be left out. */
export function joinMeanings(one: Meaning | undefined, other: Meaning): Meaning {
  if (one === undefined || typeof other === "object" || one === "unknown") return other;
  if (typeof one === "object" || other === "unknown") return one;
  return joinReadings(one as Said, other as Said);
}
