import { expect, test } from "vitest";
import { FairTurn } from "../../src/system/fair-turn.ts";

const WORK_MS = 4;

function work(): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until);
}

test("K6: work that is ready at the same time is spread over rounds of the event loop, in order", async () => {
  const turns = new FairTurn();
  const order: number[] = [];
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      await turns.take("go on");
      work();
      order.push(n);
    }),
  );
  isOver = true;
  expect(order).toEqual([...order].sort((a, b) => a - b));
  // Two or three fit into the eight milliseconds of a round.
  expect(rounds).toBeGreaterThanOrEqual(8);
});

test("K6: a timer fires while others have work for a long time", async () => {
  const turns = new FairTurn();
  let done = 0;
  const all = Promise.all(
    Array.from({ length: 30 }, async () => {
      await turns.take("go on");
      work();
      done += 1;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(done).toBeLessThan(30);
  await all;
});

test("K6: without a crowd nothing waits", async () => {
  const turns = new FairTurn(() => 0);
  expect(turns.take("go on")).toBeUndefined();
  expect(turns.take("go on")).toBeUndefined();
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
  expect(turns.take("go on")).toBeUndefined();
});

test("K6: what is released takes further turns without being stuck behind itself", async () => {
  const turns = new FairTurn();
  let steps = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let step = 0; step < 10; step++) {
        await turns.take("go on");
        if (step % 5 === 0) work();
        steps += 1;
      }
    }),
  );
  expect(steps).toBe(200);
});

test("K6: what starts goes before what goes on", async () => {
  const turns = new FairTurn();
  const order: string[] = [];
  const take = async (step: "start" | "go on"): Promise<void> => {
    await turns.take(step);
    order.push(step);
  };
  const first = Array.from({ length: 4 }, () => take("go on"));
  const waiting = [take("go on"), take("go on"), take("start"), take("start")];
  await Promise.all([...first, ...waiting]);
  expect(order.slice(4)).toEqual(["start", "start", "go on", "go on"]);
});
