import { expect, test } from "vitest";
import { virtualTime } from "../../src/adapters/testing/index.ts";
import { resilient, waits } from "../../src/index.ts";

test("B8: a subscriber of waits that throws is reported and does not keep the change from the others", async () => {
  const time = virtualTime({ manual: true });
  const ask = resilient(
    ({ attempt }) => {
      if (attempt === 1) throw Object.assign(new Error("Overloaded"), { status: 503 });
      return "fine";
    },
    { schedules: { general: { type: "fixed", delayMs: 1000 } } },
    { ports: time.ports },
  );
  const { subscribe, getSnapshot } = waits(ask);
  const heard: number[] = [];
  const broken = new Error("cannot draw");
  subscribe(() => {
    throw broken;
  });
  subscribe(() => heard.push(getSnapshot().length));

  expect(await time.until(ask())).toBe("fine");

  expect(heard).toEqual([1, 0]);
  expect(time.faults).toEqual([expect.objectContaining({ fault: broken }), expect.objectContaining({ fault: broken })]);
});
