/** CPU time of this process in nanoseconds: on a noisy machine it is worth more than the wall clock. */
export function cpuNs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The lower quartile: what disturbs a sample only ever makes it larger. */
export function quiet(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}

/** Two full collections: the second one gets what finalisers of the first let go. */
export async function collect(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** How long one sample takes on the wall: long enough that the compiler's and collector's threads do not decide it. */
const SAMPLE_MS = 150;

const CLOCK_EVERY = 32;

/** Runs the operation one after another for about so long; returns how many there were. */
async function runFor(operate: () => Promise<unknown>, ms: number): Promise<number> {
  const until = performance.now() + ms;
  let operations = 0;
  // The clock is looked at every few operations, so that it costs little of what is measured.
  do {
    for (let i = 0; i < CLOCK_EVERY; i++) await operate();
    operations += CLOCK_EVERY;
  } while (performance.now() < until);
  return operations;
}

/** CPU nanoseconds per operation of each entry, rounds interleaved so that a noisy second hits everybody. */
export async function interleaved(
  entries: ReadonlyMap<string, () => Promise<unknown>>,
  rounds: number,
  onRound: (round: number) => void,
): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>([...entries.keys()].map((name) => [name, []]));
  // Twice: what all of them share is compiled while the later ones warm up.
  for (let i = 0; i < 2; i++) for (const operate of entries.values()) await runFor(operate, SAMPLE_MS * 2);
  const all = [...entries];
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    // Another one goes first in each round: each one pays for the garbage of the one before it.
    const first = round % all.length;
    for (const [name, operate] of [...all.slice(first), ...all.slice(0, first)]) {
      await runFor(operate, SAMPLE_MS / 5);
      const before = cpuNs();
      const operations = await runFor(operate, SAMPLE_MS);
      samples.get(name)?.push((cpuNs() - before) / operations);
    }
  }
  return new Map([...samples].map(([name, values]) => [name, quiet(values)]));
}
