/** Returns numbers in [0, 1), the same ones for the same seed. */
export type Random = () => number;

/** 2^32: what turns 32 random bits into a fraction. */
const RANGE = 4294967296;
/** sfc32 needs some rounds until neighbouring seeds are independent. */
const WARM_UP = 16;

/**
 * sfc32: small, fast and good enough for every statistical test that matters here. `stream` gives independent sequences
 * for one seed, so that the outage stays the same when a policy draws more numbers than another.
 */
export function createRandom(seed: number, stream = 0): Random {
  let a = seed | 0;
  let b = Math.floor(seed / RANGE) | 0;
  let c = (stream ^ 0x9e3779b9) | 0;
  let counter = 1;
  const random = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / RANGE;
  };
  for (let round = 0; round < WARM_UP; round++) random();
  return random;
}

/** An exponentially distributed time with this mean. */
export function drawExponential(random: Random, meanMs: number): number {
  return -Math.log(1 - random()) * meanMs;
}
