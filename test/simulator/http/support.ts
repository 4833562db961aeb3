import { afterAll, afterEach, beforeAll } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../src/simulator/http/index.ts";

/** A simulator for the tests of one file: a second takes ten milliseconds, and tokens come without a pause. */
export function useSimulator(options: SimulatorOptions = {}): { readonly sim: Simulator } {
  let sim: Simulator | undefined;
  beforeAll(async () => {
    sim = await startSimulator({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0, ...options });
  });
  afterEach(() => sim?.reset());
  afterAll(() => sim?.close());
  return {
    get sim() {
      if (sim === undefined) throw new Error("The simulator runs only inside of tests");
      return sim;
    },
  };
}

export const KEY = "key-a";

export const WEATHER_SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
} as const;

export const ASK_TOOL = 'Please call get_weather {"city":"Zürich","days":2} now';

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
