import { expect, test } from "vitest";
import { resilient, run, stream } from "../../src/index.ts";

test("E13: no call sees the engine's own object as `this`, with arguments or without", async () => {
  const seen: unknown[] = [];
  const ask = resilient(function (this: unknown, _context, _argument?: number) {
    seen.push(this);
  });
  await ask();
  await ask(1);
  await ask.with({ id: "named" })();
  await run(function (this: unknown) {
    seen.push(this);
  });
  await stream(async function* (this: unknown) {
    seen.push(this);
    yield 1;
  }).next();
  expect(seen).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
