import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { often } from "../../support/soak.ts";
import { direct, plain, play, programs } from "./programs.ts";

async function load(): Promise<typeof import("../../../src/library/direct-stream/index.ts")> {
  vi.resetModules();
  return import("../../../src/library/direct-stream/index.ts");
}

/** As on a platform that hides the state of its streams: there each direct stream is one of them from the start. */
function hideSlots(): void {
  const all = Object.getOwnPropertySymbols;
  vi.spyOn(Object, "getOwnPropertySymbols").mockImplementation((of) => (of instanceof ReadableStream ? [] : all(of)));
}

afterEach(() => vi.restoreAllMocks());

describe.each([
  ["with the platform's state made when it is needed", () => undefined],
  ["with the platform's state from the start", hideSlots],
])("a direct stream, %s", (_, prepare) => {
  test("B4: behaves as the platform's own stream, whatever its consumer does", async () => {
    prepare();
    const make = direct(await load());
    const check = fc.asyncProperty(programs, async (program) => {
      const expected = await play(plain, program);
      // Node's own iterator fails when it is left while it is read.
      fc.pre(!JSON.stringify(expected).includes("a bug in Node.js"));
      expect(await play(make, program)).toEqual(expected);
    });
    await fc.assert(check, { numRuns: often(400, 20_000) });
  }, 600_000);
});
