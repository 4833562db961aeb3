import { isContent, isEnd, type Reading } from "./reading.ts";

/** How content reaches the consumer, and whether it can be taken back. */
export type Sink<T> =
  /** A pipe: what is out is out. */
  | "committed"
  /** Nothing is given out before the answer is whole and valid. */
  | "buffered"
  /** A consumer that clears the partial answer when it gets the marker made here. */
  | { readonly retractable: (discarded: Discarded) => T };

export interface Discarded {
  readonly attempt: number;
  /** How many items of the discarded attempt were given out. */
  readonly items: number;
}

/** More keep-alives than this before the first content are dropped instead of held. */
const MOST_HELD_NOISE = 1000;
/** Shared by all and never written to: most streams hold nothing. */
const NONE: never[] = [];

/**
 * Finds the commit point of one attempt: items before the first content are held back, because an attempt that fails
 * there leaves no trace. From the first content on (or, when buffered, from the good end on) they flow.
 */
export class Delivery<T> {
  /** Ready for the consumer. */
  ready: T[] = NONE;
  hasContent = false;
  /** Nothing is missing: the terminal marker has come, or there is no way to recognise it. */
  hasEnd = false;
  private hasMarker = false;
  private held: T[] = NONE;
  private isOpen = false;
  private readonly isBuffered: boolean;

  constructor(sink: Sink<T>) {
    this.isBuffered = sink === "buffered";
  }

  /** Whether content goes straight out, as it does for nearly all of an answer. */
  get isFlowing(): boolean {
    return this.isOpen && !this.hasMarker && this.ready.length === 0;
  }

  /** After the terminal marker only noise passes: a chunk with the usage, say (E15b). */
  ignores(reading: Reading): boolean {
    return this.hasMarker && reading !== "noise";
  }

  /** True: the item may go straight out. False: it is held, or stands in line behind others. */
  passes(item: T, reading: Reading): boolean {
    if (isContent(reading)) this.hasContent = true;
    if (isEnd(reading)) this.hasEnd = this.hasMarker = true;
    // Often the first item is content already: nothing is held, so nothing has to be handed out first.
    if (!this.isOpen && this.held === NONE && this.hasContent && !this.isBuffered) this.isOpen = true;
    if (this.isOpen && this.ready.length === 0) return true;
    if (this.isOpen) this.ready.push(item);
    else this.hold(item, reading);
    return false;
  }

  private hold(item: T, reading: Reading): void {
    if (reading === "noise" && this.held.length >= MOST_HELD_NOISE) return;
    if (this.held === NONE) this.held = [item];
    else this.held.push(item);
    if (this.hasContent && !this.isBuffered) this.open();
  }

  /** The answer is whole: whatever is still held may go out. */
  complete(): void {
    if (!this.isOpen) this.open();
  }

  private open(): void {
    this.isOpen = true;
    this.ready = this.held;
    this.held = NONE;
  }
}
