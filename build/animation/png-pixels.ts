import { inflateSync } from "node:zlib";

/** An image of 8-bit channels, three or four a pixel, row after row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

const SIGNATURE_BYTES = 8;

/** Decodes what Chromium and `animatePng` write: 8 bits a channel, RGB, RGBA or a palette, not interlaced. */
export function decodePng(file: Uint8Array): Pixels {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const parts: Uint8Array[] = [];
  let header: DataView | undefined;
  let palette: Uint8Array | undefined;
  for (let at = SIGNATURE_BYTES; at < file.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (type === "IHDR") header = new DataView(file.buffer, file.byteOffset + at + 8, length);
    if (type === "PLTE") palette = file.subarray(at + 8, at + 8 + length);
    if (type === "IDAT") parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  if (header === undefined) throw new Error("not a PNG file");
  const [width, height, depth, colour] = [
    header.getUint32(0),
    header.getUint32(4),
    header.getUint8(8),
    header.getUint8(9),
  ];
  if (depth !== 8 || ![2, 3, 6].includes(colour) || header.getUint8(12) !== 0) {
    throw new Error(`unsupported PNG: ${depth} bits, colour type ${colour}`);
  }
  const raw = inflateSync(Buffer.concat(parts));
  if (colour === 3) {
    const places = unfilter(raw, width, 1);
    return { width, height, channels: 3, data: coloursOf(places, palette ?? new Uint8Array()) };
  }
  const channels = colour === 2 ? 3 : 4;
  return { width, height, channels, data: unfilter(raw, width * channels, channels) };
}

function coloursOf(places: Uint8Array, palette: Uint8Array): Uint8Array {
  const data = new Uint8Array(places.length * 3);
  for (const [pixel, place] of places.entries()) data.set(palette.subarray(place * 3, place * 3 + 3), pixel * 3);
  return data;
}

/** Each row starts with its filter, which says how its bytes follow from the ones to the left and above. */
function unfilter(raw: Uint8Array, rowBytes: number, step: number): Uint8Array {
  const rows = raw.length / (rowBytes + 1);
  const data = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1);
    const to = row * rowBytes;
    const filter = raw[from];
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= step ? (data[to + x - step] as number) : 0;
      const up = row > 0 ? (data[to + x - rowBytes] as number) : 0;
      const corner = x >= step && row > 0 ? (data[to + x - rowBytes - step] as number) : 0;
      data[to + x] = (raw[from + 1 + x] as number) + predict(filter, left, up, corner);
    }
  }
  return data;
}

function predict(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
