import type { Piece } from "./event-cutter.ts";
import { joinReadings, type Said } from "./event-meaning.ts";

const NO_PIECES: readonly Piece[] = [];
const encoder = new TextEncoder();

/** Events that go on together. As long as none is left out or written anew, their bytes are those that came. */
export class EventRun {
  private readonly bytes: Uint8Array;
  private readonly keepsEvents: boolean;
  private text = "";
  private isAsItCame = true;
  private reading: Said = "noise";
  private events: unknown[] | undefined = undefined;

  constructor(bytes: Uint8Array, keepsEvents: boolean) {
    this.bytes = bytes;
    this.keepsEvents = keepsEvents;
  }

  add(written: string, reading: Said, { isAsItCame }: { readonly isAsItCame: boolean }): undefined {
    if (!isAsItCame) this.isAsItCame = false;
    this.text += written;
    this.reading = joinReadings(this.reading, reading);
  }

  keep(event: unknown): void {
    if (!this.keepsEvents) return;
    this.events ??= [];
    this.events.push(event);
  }

  leaveOut(): undefined {
    this.isAsItCame = false;
  }

  /** One piece, or none if all of it was left out. */
  pieces(): readonly Piece[] {
    if (this.text === "") return NO_PIECES;
    const bytes = this.isAsItCame ? this.bytes : encoder.encode(this.text);
    const { reading, events } = this;
    return [events === undefined ? { bytes, reading } : { bytes, reading, events }];
  }
}
