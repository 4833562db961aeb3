import { describe, expect, test } from "vitest";
import { animatePng, changedArea } from "../../build/animation/animate-png.ts";
import { decodePng, type Pixels } from "../../build/animation/png-pixels.ts";

const WIDTH = 7;
const HEIGHT = 5;

function picture(paint: (x: number, y: number) => number): Pixels {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) data.fill(paint(x, y), (y * WIDTH + x) * 3, (y * WIDTH + x) * 3 + 3);
  }
  return { width: WIDTH, height: HEIGHT, channels: 3, data };
}

/** A PNG of one frame is what the encoder writes for a single one. */
function encode(pixels: Pixels): Uint8Array {
  const [width, height] = [pixels.width, pixels.height];
  return animatePng([{ png: rawPng(width, height, pixels.data), shownMs: 1 }]);
}

/** A PNG with one row filter after the other, as Chromium writes them. */
function rawPng(width: number, height: number, data: Uint8Array): Uint8Array {
  const { deflateSync, crc32 } = process.getBuiltinModule("node:zlib");
  const rows = Array.from({ length: height }, (_, y) => filtered(data, width * 3, y));
  const chunk = (type: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function filtered(data: Uint8Array, rowBytes: number, y: number): Buffer {
  const filter = y % 5;
  const at = (x: number, row: number): number => (x < 0 || row < 0 ? 0 : (data[row * rowBytes + x] as number));
  const row = Array.from({ length: rowBytes }, (_, x) => {
    const [left, up, corner] = [at(x - 3, y), at(x, y - 1), x < 3 ? 0 : at(x - 3, y - 1)];
    const guess = left + up - corner;
    const paeth = [left, up, corner].reduce((best, one) =>
      Math.abs(guess - one) < Math.abs(guess - best) ? one : best,
    );
    return (at(x, y) - ([0, left, up, (left + up) >> 1, paeth][filter] as number)) & 0xff;
  });
  return Buffer.from([filter, ...row]);
}

describe("the animation in the README", () => {
  const before = picture((x, y) => (x * 37 + y * 11) & 0xff);
  const after = picture((x, y) => (x === 3 && y > 1 && y < 4 ? 200 : (x * 37 + y * 11) & 0xff));

  test("K7: a screenshot keeps its pixels, whatever row filters it has", () => {
    expect(decodePng(rawPng(WIDTH, HEIGHT, before.data)).data).toEqual(before.data);
    expect(decodePng(encode(before)).data).toEqual(before.data);
  });

  test("K7: a frame holds the rectangle that has changed", () => {
    expect(changedArea(before, after)).toEqual({ x: 3, y: 2, width: 1, height: 2 });
    expect(changedArea(before, before)).toBeUndefined();
  });

  test("K7: frames without a change extend the one before", () => {
    const frames = [before, before, after].map((one) => ({ png: encode(one), shownMs: 100 }));
    const file = animatePng(frames).toString("latin1");
    expect(file.match(/fcTL/g)).toHaveLength(2);
    expect(file).toContain("acTL\u0000\u0000\u0000\u0002");
    expect(decodePng(Buffer.from(file, "latin1")).data).toEqual(before.data);
  });
});
