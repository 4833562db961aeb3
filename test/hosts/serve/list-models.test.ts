import { expect, test } from "vitest";
import { listModels } from "../../../src/hosts/serve/api/list-models.ts";
import type { HealthItem } from "../../../src/wire/http/activity.ts";

const provider = { name: "sim" } as never;
const assembly = { providers: new Map([["sim", { provider, credentials: ["sim#1", "sim#2"] }]]) };
const cooling = (more: Partial<HealthItem>): HealthItem => ({ id: "x", type: "cooldown", provider: "sim", ...more });

const untilOf = (items: readonly HealthItem[], id = "sim/ok"): number | undefined =>
  listModels(assembly, {}, { items }).find((model) => model.id === id)?.coolingUntil;

test.each([
  ["nothing cools down", [], undefined],
  ["one of two keys cools down", [cooling({ credential: "sim#1", until: 5 })], undefined],
  [
    "both keys cool down, the second for a shorter time",
    [cooling({ credential: "sim#1", until: 9 }), cooling({ credential: "sim#2", until: 5 })],
    5,
  ],
  ["the model cools down", [cooling({ model: "ok", until: 7 })], 7],
  ["another model cools down", [cooling({ model: "echo", until: 7 })], undefined],
  ["another provider cools down", [cooling({ provider: "openai", until: 7 })], undefined],
  ["a breaker is open", [cooling({ type: "breaker", until: 7 })], undefined],
])("E17: when %s, the list of models says so", (_, items, until) => {
  expect(untilOf(items)).toBe(until);
});

test("E17: models of providers without a key are not listed", () => {
  expect(new Set(listModels(assembly, {}, { items: [] }).map((model) => model.provider))).toEqual(new Set(["sim"]));
});
