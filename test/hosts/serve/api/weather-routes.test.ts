import { expect, test } from "vitest";
import { weatherRoutes } from "../../../../src/hosts/serve/api/weather-routes.ts";
import { InvalidInput } from "../../../../src/kernel/index.ts";
import { simulatedProvider } from "../../../../src/providers/index.ts";
import type { HealthItem, HealthView } from "../../../../src/wire/http/activity.ts";
import type { WeatherView } from "../../../../src/wire/http/server.ts";

function setUp(items: readonly HealthItem[] = []) {
  const cleared: string[] = [];
  const health = (): HealthView => ({ items, fine: [], budgets: [] });
  const clear = async (id: string): Promise<boolean> => cleared.push(id) > 0;
  const routes = weatherRoutes(simulatedProvider().simulator, { health, clear });
  const call = async (method: "GET" | "PUT", given?: unknown): Promise<WeatherView> => {
    const route = routes.find((one) => one.method === method);
    const body = route?.body?.parse(given);
    return (await route?.run({
      params: {},
      query: undefined,
      body,
      signal: new AbortController().signal,
    })) as WeatherView;
  };
  return { call, cleared };
}

test("B7: the weather is calm at first, and its menu has the single faults", async () => {
  const { call } = setUp();
  expect(await call("GET")).toEqual({
    weather: "calm",
    faults: expect.arrayContaining([{ name: "overloaded", title: "Overloaded (529)" }]),
  });
});

test("B7: a change is in the answer and stays", async () => {
  const { call } = setUp();
  expect(await call("PUT", { weather: "storm" })).toMatchObject({ weather: "storm" });
  expect(await call("PUT", { weather: "fault", fault: "cut-12" })).toMatchObject({ weather: "fault", fault: "cut-12" });
  expect(await call("GET")).toMatchObject({ weather: "fault", fault: "cut-12" });
  expect(await call("PUT", { weather: "calm" })).not.toHaveProperty("fault");
});

test("B7: cooldowns and breakers of the simulated provider end with the weather; those of others stay", async () => {
  const { call, cleared } = setUp([
    { id: "a", type: "cooldown", provider: "sim", credential: "sim#1" },
    { id: "b", type: "breaker", provider: "openai" },
    { id: "c", type: "breaker", provider: "sim" },
  ]);
  await call("PUT", { weather: "calm" });
  expect(cleared).toEqual(["a", "c"]);
});

test.each([{ weather: "hail" }, { weather: "fault" }, {}, { weather: "fault", fault: "" }])(
  "B7: %o is not accepted",
  async (body) => {
    await expect(setUp().call("PUT", body)).rejects.toThrow();
  },
);

test("B7: an unknown fault is refused with the names that are allowed", async () => {
  await expect(setUp().call("PUT", { weather: "fault", fault: "hail" })).rejects.toThrow(InvalidInput);
});
