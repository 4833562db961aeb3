import { expect, test } from "vitest";
import { dayGroup, groupByDay } from "../../../../src/hosts/web/pages/chat/list/group-by-day.ts";

const NOW = new Date(2026, 10, 16, 0, 30).getTime();
const at = (...time: [number, number, number, number, number]) => new Date(...time).getTime();

test.each([
  ["today", at(2026, 10, 16, 0, 0)],
  ["today", at(2026, 10, 16, 23, 0)],
  ["today", at(2027, 0, 1, 0, 0)],
  ["yesterday", at(2026, 10, 15, 23, 59)],
  ["yesterday", at(2026, 10, 15, 0, 0)],
  ["week", at(2026, 10, 14, 23, 59)],
  ["week", at(2026, 10, 9, 12, 0)],
  ["month", at(2026, 10, 8, 12, 0)],
  ["month", at(2026, 9, 17, 12, 0)],
  ["older", at(2026, 9, 16, 12, 0)],
  ["older", 0],
] as const)("K6: a conversation is listed under %s by the calendar, not by hours", (group, moment) => {
  expect(dayGroup(moment, NOW)).toBe(group);
});

test("K6: groups stand newest first, without empty ones, and so do their conversations", () => {
  const list = [3, 1, 26, 27, 2].map((hours) => ({ id: String(hours), updatedAt: NOW - hours * 3_600_000 }));
  const days = groupByDay(list, NOW).map(({ group, items }) => [group, items.map(({ id }) => id)]);
  expect(days).toEqual([
    ["yesterday", ["1", "2", "3"]],
    ["week", ["26", "27"]],
  ]);
  expect(groupByDay([], NOW)).toEqual([]);
});
