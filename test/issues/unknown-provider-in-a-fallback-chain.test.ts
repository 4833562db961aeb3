import { expect, test } from "vitest";
import { openAssembly } from "../../src/assembly/index.ts";

const KEY = "retry.fallbackChains";

async function config() {
  return (await openAssembly({ env: {}, storePath: ":memory:" })).store.config;
}

test("S4: a fallback chain with an unknown provider is refused when it is set, and nothing is stored", async () => {
  const table = await config();
  const setting = table.set(KEY, { default: ["openai/gpt-5"], small: ["sim/ok", "opnai/gpt-5"] });
  await expect(setting).rejects.toThrow(
    /^retry\.fallbackChains\.small must be of a known provider \(anthropic, openai, .*sim\); got "opnai\/gpt-5"$/,
  );
  expect(await table.get(KEY)).toEqual({});
});

test("S4: a chain of known providers is stored, and what is no chain is refused as before", async () => {
  const table = await config();
  await table.set(KEY, { default: ["openai/gpt-5", "sim/ok"] });
  expect(await table.get(KEY)).toEqual({ default: ["openai/gpt-5", "sim/ok"] });
  for (const value of [null, 5, "openai/gpt-5", ["openai/gpt-5"], { default: "openai/gpt-5" }, { default: [5] }]) {
    await expect(table.set(KEY, value)).rejects.toThrow("retry.fallbackChains must be an object of roles");
  }
});
