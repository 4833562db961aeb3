import { crc32, deflateSync } from "node:zlib";
import { indexColours } from "./palette.ts";
import { decodePng, type Pixels } from "./png-pixels.ts";

/** A screenshot, and how long it is shown. */
export interface Frame {
  readonly png: Uint8Array;
  readonly shownMs: number;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Shown {
  readonly image: Pixels;
  readonly area: Area;
  shownMs: number;
}

/**
 * An animated PNG from screenshots of one size: browsers and GitHub play it, and text stays sharp. Each frame holds only the
 * rectangle that has changed; frames without a change extend the one before.
 */
export function animatePng(frames: readonly Frame[]): Buffer {
  const shown: Shown[] = [];
  for (const { png, shownMs } of frames) {
    const image = decodePng(png);
    const last = shown.at(-1);
    const area = last === undefined ? { x: 0, y: 0, ...sizeOf(image) } : changedArea(last.image, image);
    if (area === undefined) (last as Shown).shownMs += shownMs;
    else shown.push({ image, area, shownMs });
  }
  const [first] = shown;
  if (first === undefined) throw new Error("an animation needs a frame");
  const { palette, images } = indexColours(shown.map(({ image }) => image));
  const { width } = first.image;
  let sequence = 0;
  const chunks = [chunk("IHDR", header(first.image)), chunk("PLTE", Buffer.from(palette))];
  // A picture of one frame is no animation.
  if (shown.length > 1) chunks.push(chunk("acTL", words(shown.length, 0)));
  for (const [place, { area, shownMs }] of shown.entries()) {
    if (shown.length > 1) chunks.push(chunk("fcTL", frameControl(sequence++, area, shownMs)));
    const pixels = compress(images[place] as Uint8Array, width, area);
    // The first frame is the picture that a viewer without animation shows.
    chunks.push(place === 0 ? chunk("IDAT", pixels) : chunk("fdAT", Buffer.concat([words(sequence++), pixels])));
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunks,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function sizeOf({ width, height }: Pixels): Pick<Area, "width" | "height"> {
  return { width, height };
}

/** Undefined: the two are the same. */
export function changedArea(before: Pixels, after: Pixels): Area | undefined {
  const { width, height, channels } = after;
  if (before.width !== width || before.height !== height || before.channels !== channels) {
    throw new Error("all frames must have one size");
  }
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      if (isSame(before.data, after.data, at, channels)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function isSame(one: Uint8Array, other: Uint8Array, at: number, channels: number): boolean {
  for (let i = 0; i < channels; i++) if (one[at + i] !== other[at + i]) return false;
  return true;
}

function header({ width, height }: Pixels): Buffer {
  const [bits, colours] = [8, 3];
  return Buffer.concat([words(width, height), Buffer.from([bits, colours, 0, 0, 0])]);
}

function frameControl(sequence: number, { x, y, width, height }: Area, shownMs: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(Math.min(65_535, Math.round(shownMs)), 0);
  delay.writeUInt16BE(1000, 2);
  return Buffer.concat([words(sequence, width, height, x, y), delay]);
}

/** Without a row filter: the differences between places in a palette mean nothing. */
function compress(pixels: Uint8Array, width: number, area: Area): Buffer {
  const raw = Buffer.alloc(area.height * (area.width + 1));
  for (let y = 0; y < area.height; y++) {
    const from = (area.y + y) * width + area.x;
    raw.set(pixels.subarray(from, from + area.width), y * (area.width + 1) + 1);
  }
  return deflateSync(raw, { level: 9 });
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, place * 4);
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([words(data.length), body, words(crc32(body))]);
}
