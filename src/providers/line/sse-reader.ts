/** One server-sent event, as far as any wire format uses it. */
export interface SseEvent {
  /** Empty: it has none. */
  readonly name: string;
  /** Never blank: an event without data is nothing. */
  readonly data: string;
  /** Whether its blank line has come. The last one of a body may lack it. */
  readonly isEnded: boolean;
}

/**
 * Reads events out of a text that comes in pieces, with LF, CR or CRLF at the line ends. Each character is looked at once, so
 * that one event in thousands of pieces stays linear.
 */
export class SseReader {
  /** The line under way, in pieces. */
  private line: string[] = [];
  private name = "";
  private data: string[] = [];
  /** The last piece ended with a CR: an LF at the start of the next one belongs to it. */
  private hasCr = false;

  read(text: string): readonly SseEvent[] {
    const events: SseEvent[] = [];
    const lines = (this.hasCr && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\r|\n/);
    this.hasCr = text === "" ? this.hasCr : text.endsWith("\r");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.line.push(line);
      this.endLine(events);
    }
    if (last !== "") this.line.push(last);
    return events;
  }

  /** The body is over: what is left is its last event, if it is one. */
  end(): SseEvent | undefined {
    if (this.line.length > 0) this.endLine([]);
    return this.take(false);
  }

  private endLine(events: SseEvent[]): void {
    const line = this.line.length === 1 ? (this.line[0] ?? "") : this.line.join("");
    this.line = [];
    if (line !== "") return this.readField(line);
    const event = this.take(true);
    if (event !== undefined) events.push(event);
  }

  private readField(line: string): void {
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    const from = colon === -1 ? line.length : colon + (line[colon + 1] === " " ? 2 : 1);
    if (field === "event") this.name = line.slice(from);
    else this.data.push(line.slice(from));
  }

  private take(isEnded: boolean): SseEvent | undefined {
    const { name } = this;
    const data = this.data.join("\n");
    this.name = "";
    this.data = [];
    return data.trim() === "" ? undefined : { name, data, isEnded };
  }
}
