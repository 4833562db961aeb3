import { expect, test } from "vitest";
import { sayLeft, sayLeftShort, secondsLeft } from "../../../../src/components/say-left.ts";
import { ServerClock } from "../../../../src/hosts/web/api/server-clock.ts";

test.each([
  [5000, "5s", "5"],
  [4001, "5s", "5"],
  [4000, "4s", "4"],
  [59_000, "59s", "59"],
  [60_000, "1m 0s", "1:00"],
  [112_000, "1m 52s", "1:52"],
  [3_599_000, "59m 59s", "59:59"],
  [3_600_000, "1h 0m", "1:00 h"],
  [3_930_000, "1h 5m", "1:05 h"],
  [0, "0s", "0"],
  [-500, "0s", "0"],
])("K7: %d ms left read %s, or %s where space is short", (ms, long, short) => {
  expect(sayLeft(ms)).toBe(long);
  expect(sayLeftShort(ms)).toBe(short);
});

test("K7: a countdown from 5 s shows 5, 4, 3, 2, 1, each for a second", () => {
  const shown = Array.from({ length: 51 }, (_, tenth) => secondsLeft(5000 - tenth * 100));
  expect([...new Set(shown)]).toEqual([5, 4, 3, 2, 1, 0]);
  for (const seconds of [5, 4, 3, 2, 1]) expect(shown.filter((one) => one === seconds)).toHaveLength(10);
});

test("K7: the server's clock counts, whatever the clock of this computer shows", () => {
  let monotonic = 1000;
  const clock = new ServerClock(() => monotonic);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
  clock.heard(5_000_000);
  expect(clock.now()).toBe(5_000_000);
  monotonic += 2500;
  expect(clock.now()).toBe(5_002_500);
});

test("K7: a replayed event, which names a moment of the past, does not set the clock back", () => {
  let monotonic = 0;
  const clock = new ServerClock(() => monotonic);
  clock.heard(10_000);
  monotonic = 500;
  clock.heard(2000);
  expect(clock.now()).toBe(10_500);
  clock.heard(10_700);
  expect(clock.now()).toBe(10_700);
  clock.heard(Number.NaN);
  expect(clock.now()).toBe(10_700);
});

test("K7: a Date header has whole seconds and is never taken for an earlier time than is known", () => {
  let monotonic = 0;
  const clock = new ServerClock(() => monotonic);
  const at = Date.parse("Mon, 16 Nov 2026 12:00:00 GMT");
  clock.heard(at + 900);
  monotonic = 50;
  clock.heardDate("Mon, 16 Nov 2026 12:00:00 GMT", 10);
  expect(clock.now()).toBe(at + 950);
  clock.heardDate(null, 10);
  clock.heardDate("nonsense", 10);
  expect(clock.now()).toBe(at + 950);
});

test("K7: a server whose clock was set back is believed", () => {
  let monotonic = 0;
  const clock = new ServerClock(() => monotonic);
  const at = Date.parse("Mon, 16 Nov 2026 12:00:00 GMT");
  clock.heard(at);
  monotonic = 5000;
  clock.heardDate("Mon, 16 Nov 2026 11:00:00 GMT", 4990);
  expect(clock.now()).toBe(at - 3_600_000);
});
