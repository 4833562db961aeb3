import type { Pixels } from "./png-pixels.ts";

const MOST_COLOURS = 256;

/** Pixels as places in a list of colours. */
export interface Indexed {
  /** Three bytes a colour. */
  readonly palette: Uint8Array;
  /** One byte a pixel, for each image. */
  readonly images: readonly Uint8Array[];
}

/**
 * The most frequent colours of all images, and each pixel as the nearest of them. A page has few colours besides the shades at the
 * edges of its letters, and a third of the bytes compresses to less than a third.
 */
export function indexColours(images: readonly Pixels[]): Indexed {
  const counts = new Map<number, number>();
  for (const image of images) eachColour(image, (colour) => counts.set(colour, (counts.get(colour) ?? 0) + 1));
  const chosen = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(chosen.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(chosen, colour));
  return {
    palette: Uint8Array.from(chosen.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff])),
    images: images.map((image) => {
      const pixels = new Uint8Array(image.width * image.height);
      eachColour(image, (colour, pixel) => {
        pixels[pixel] = places.get(colour) as number;
      });
      return pixels;
    }),
  };
}

function eachColour({ data, channels }: Pixels, see: (colour: number, pixel: number) => void): void {
  for (let at = 0, pixel = 0; at < data.length; at += channels, pixel++) {
    see(((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number), pixel);
  }
}

function nearest(colours: readonly number[], wanted: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [place, colour] of colours.entries()) {
    const distance = [16, 8, 0].reduce(
      (sum, bits) => sum + (((colour >> bits) & 0xff) - ((wanted >> bits) & 0xff)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}
