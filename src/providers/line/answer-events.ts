import { meaningOf, usageOf } from "./event-meaning.ts";
import { type SseEvent, SseReader } from "./sse-reader.ts";

/**
 * The events of one answer, as the SDKs are to see them: the same in all wire formats. Unknown events and those without data are
 * left out; after the terminal marker only usage counts; the last event counts without its blank line, if it is whole.
 */
export class AnswerEvents {
  /** Whether the terminal marker has come. */
  hasEnded = false;
  private isOver = false;
  private readonly reader = new SseReader();
  private readonly decoder = new TextDecoder();
  private readonly onIgnored: () => void;

  constructor(onIgnored: () => void) {
    this.onIgnored = onIgnored;
  }

  /** The events that these bytes complete, in a form that every SDK reads; empty: none. */
  read(bytes: Uint8Array): string {
    return this.write(this.reader.read(this.decoder.decode(bytes, { stream: true })));
  }

  /** What is left when the body is over. */
  end(): string {
    const events = this.reader.read(this.decoder.decode());
    const last = this.reader.end();
    return this.write(last === undefined ? events : [...events, last]);
  }

  private write(events: readonly SseEvent[]): string {
    let written = "";
    for (const event of events) {
      const data = this.pass(event);
      // Line ends in JSON are white space.
      if (data !== undefined) written += `data: ${data.replaceAll("\n", " ")}\n\n`;
    }
    return written;
  }

  private pass({ data, name, isEnded }: SseEvent): string | undefined {
    if (this.isOver) return undefined;
    const meaning = meaningOf(data, name);
    if (meaning === "last") this.isOver = true;
    if (this.hasEnded) return meaning === "last" ? undefined : usageOf(data);
    this.hasEnded = meaning === "end" || meaning === "last";
    if (meaning === "unknown") this.onIgnored();
    const isCut = meaning === "broken" && !isEnded;
    return meaning === "unknown" || isCut ? undefined : data;
  }
}
