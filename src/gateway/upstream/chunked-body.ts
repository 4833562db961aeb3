import { UnreadableAnswer } from "./read-head.ts";

type State =
  | "size"
  | "extension"
  | "size-lf"
  | "data"
  | "data-cr"
  | "data-lf"
  | "trailers"
  | "trailer"
  | "last-lf"
  | "over";

const CR = 13;
const LF = 10;
/** More than any server sends. */
const MOST_EXTENSION_BYTES = 1024;
const MOST_TRAILER_BYTES = 16_384;
/** Seven digits are 256 MiB in one chunk. */
const MOST_DIGITS = 7;

/** Takes the frames off a chunked body, wherever it is cut. */
export class ChunkedBody {
  isOver = false;
  /** Where the payload of the last {@link decode} stands in its bytes, and how far the frames were read. */
  start = 0;
  stop = 0;
  end = 0;
  private state: State = "size";
  private left = 0;
  private digits = 0;
  private extra = 0;

  /** Moves the payload between `from` and `to` together, so that it is one run of bytes. Throws {@link UnreadableAnswer}. */
  decode(bytes: Buffer, from: number, to: number): void {
    let at = from;
    this.start = from;
    this.stop = from;
    while (at < to && !this.isOver) {
      if (this.state !== "data") {
        this.step(bytes[at++] as number);
        continue;
      }
      const count = Math.min(this.left, to - at);
      // The first run stays where it is: most reads have one.
      if (this.stop === from) {
        this.start = at;
        this.stop = at;
      } else bytes.copyWithin(this.stop, at, at + count);
      this.stop += count;
      at += count;
      this.left -= count;
      if (this.left === 0) this.state = "data-cr";
    }
    this.end = at;
  }

  private step(code: number): void {
    switch (this.state) {
      case "size":
        return this.readSize(code);
      case "extension":
        if (code === CR) this.state = "size-lf";
        else this.countExtra(code !== LF, MOST_EXTENSION_BYTES);
        return;
      case "size-lf":
        expect(code === LF && this.digits > 0);
        this.extra = 0;
        this.digits = 0;
        this.state = this.left === 0 ? "trailers" : "data";
        return;
      case "data-cr":
        expect(code === CR);
        this.state = "data-lf";
        return;
      case "data-lf":
        expect(code === LF);
        this.state = "size";
        return;
      case "trailers":
        this.state = code === CR ? "last-lf" : "trailer";
        return this.countExtra(code !== LF, MOST_TRAILER_BYTES);
      case "trailer":
        if (code === LF) this.state = "trailers";
        return this.countExtra(true, MOST_TRAILER_BYTES);
      case "last-lf":
        expect(code === LF);
        this.state = "over";
        this.isOver = true;
        return;
      case "data":
      case "over":
        return;
      default:
        this.state satisfies never;
    }
  }

  private readSize(code: number): void {
    const digit = hexOf(code);
    if (digit >= 0) {
      this.left = this.left * 16 + digit;
      this.digits += 1;
      expect(this.left < 16 ** MOST_DIGITS && this.digits <= 16);
    } else if (code === CR) this.state = "size-lf";
    else {
      // A semicolon, or the space that some servers put before it.
      expect((code === 59 || code === 32 || code === 9) && this.digits > 0);
      this.state = "extension";
    }
  }

  private countExtra(isGood: boolean, most: number): void {
    this.extra += 1;
    expect(isGood && this.extra <= most);
  }
}

function expect(isGood: boolean): void {
  if (!isGood) throw new UnreadableAnswer("The answer's chunks are garbled", "HPE_INVALID_CHUNK_SIZE");
}

function hexOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
