import { describe, expect, test } from "vitest";
import { CONFIG_KEYS } from "../../src/store/config/config-keys.ts";
import type { NewStore } from "./store-contract.ts";

export function configContract(name: string, open: NewStore): void {
  describe(`${name}: config`, () => {
    test("C5: the keys of the console have their promised defaults", async () => {
      const { config } = await open();
      expect(await config.get("api_retry_max_delay")).toBe(5);
      expect(await config.get("api_retry_show_warnings")).toBe(true);
    });

    test("C9: the circuit breaker is off by default", async () => {
      const { config } = await open();
      expect(await config.get("api_circuit_breaker")).toBe(false);
    });

    test("S1: the retry group of an agent session has its promised defaults", async () => {
      const { config } = await open();
      const group = (await config.list()).filter(({ key }) => key.startsWith("retry."));
      expect(Object.fromEntries(group.map(({ key, value }) => [key.slice(6), value]))).toEqual({
        enabled: true,
        maxRetries: 3,
        baseDelayMs: 2000,
        maxDelayMs: 300_000,
        fallbackChains: {},
        fallbackRevertPolicy: "cooldown-expiry",
      });
    });

    test("C5: a value is read back and listed after set, and returns to its default after remove", async () => {
      const { config } = await open();
      await config.set("api_retry_max_delay", 7.5);
      await config.set("api_retry_max_delay", 8);
      expect(await config.get("api_retry_max_delay")).toBe(8);
      const find = async () => (await config.list()).find(({ key }) => key === "api_retry_max_delay");
      expect(await find()).toMatchObject({ value: 8, isDefault: false, allowed: "a number from 1 to 3600" });
      await config.remove("api_retry_max_delay");
      await config.remove("api_retry_max_delay");
      expect(await find()).toMatchObject({ value: 5, isDefault: true });
    });

    test("S4b: fallback chains are stored and read back whole", async () => {
      const { config } = await open();
      const chains = { default: ["a/b", "openrouter/meta/llama"], small: [] };
      await config.set("retry.fallbackChains", chains);
      expect(await config.get("retry.fallbackChains")).toEqual(chains);
    });

    test("C5: every known key is listed with a default that it accepts", async () => {
      const { config } = await open();
      const listed = await config.list();
      expect(listed.map(({ key }) => key)).toEqual(Object.keys(CONFIG_KEYS));
      for (const { key, value, isDefault } of listed) {
        expect(isDefault).toBe(true);
        await config.set(key, value);
      }
    });

    test.each([
      ["api_retry_max_delay", 0, "api_retry_max_delay must be a number from 1 to 3600; got 0"],
      ["api_retry_max_delay", 3601, "api_retry_max_delay must be a number from 1 to 3600; got 3601"],
      ["api_retry_max_delay", "5", 'api_retry_max_delay must be a number from 1 to 3600; got "5"'],
      ["api_retry_max_delay", Number.NaN, "api_retry_max_delay must be a number from 1 to 3600; got NaN"],
      ["api_retry_show_warnings", 1, "api_retry_show_warnings must be true or false; got 1"],
      ["retry.maxRetries", 1.5, "retry.maxRetries must be a whole number from 0 to 1000; got 1.5"],
      ["retry.fallbackRevertPolicy", "now", 'must be one of cooldown-expiry, never; got "now"'],
      ["retry.fallbackChains", { default: ["no selector"] }, "lists of provider/model"],
      ["retry.fallbackChains", [], "lists of provider/model"],
    ])("C5: %s refuses %j, says what is allowed, and stays as it was", async (key, value, words) => {
      const { config } = await open();
      await expect(config.set(key, value)).rejects.toThrow(words);
      expect((await config.list()).every(({ isDefault }) => isDefault)).toBe(true);
    });

    test("C5: several keys are set at once, and null returns a key to its default", async () => {
      const { config } = await open();
      await config.set("api_retry_max_delay", 9);
      await config.setAll({ "retry.maxRetries": 7, "serve.policy": "default", api_retry_max_delay: null });
      expect(await config.get("retry.maxRetries")).toBe(7);
      expect(await config.get("serve.policy")).toBe("default");
      expect(await config.entry("api_retry_max_delay")).toMatchObject({ value: 5, isDefault: true });
    });

    test.each([
      [{ "retry.maxRetries": 7, "serve.policy": "" }, "serve.policy must be the name of a preset or of a policy"],
      [{ "retry.maxRetries": 7, "retry.maxretries": 1 }, "config key must be one of"],
      [{ "retry.maxRetries": 7, nothing: null }, "config key must be one of"],
    ])("C5: nothing is set if one of several is refused: %j", async (values, words) => {
      const { config } = await open();
      await expect(config.setAll(values)).rejects.toThrow(words);
      expect((await config.list()).every(({ isDefault }) => isDefault)).toBe(true);
    });

    test("C5: get, set and remove reject an unknown key and list the known ones", async () => {
      const { config } = await open();
      const words = /config key must be one of api_retry_max_delay, .*; got "api_retry_maxdelay"/;
      await expect(config.get("api_retry_maxdelay")).rejects.toThrow(words);
      await expect(config.set("api_retry_maxdelay", 5)).rejects.toThrow(words);
      await expect(config.remove("api_retry_maxdelay")).rejects.toThrow(words);
      await expect(config.get("__proto__")).rejects.toThrow("config key");
    });
  });
}
