import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

test("T3: a used-up quota of the main connection waits like a rate limit and leaves one dialog", async () => {
  const tavern = await openTavern();
  await tavern.always({ do: "fail-quota" });
  const dialogs = () => tavern.page.locator("dialog").count();
  const call = await tavern.ask();
  await tavern.advance(1000);
  expect(await dialogs()).toBe(1);
  expect(await tavern.toasts()).toEqual(["Rate limited. Waiting 30s..."]);
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 30_000, 60_000]);
  expect(await dialogs()).toBe(1);
  // Dismissed by the user: the retries don't open it again.
  await tavern.page.evaluate(() => document.querySelector<HTMLElement>("dialog .popup-button-ok")?.click());
  await tavern.advance(120_000);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: "[object Object]", atMs: 150_000 });
  expect(await dialogs()).toBe(0);
});

test("T3: many used-up quotas at once leave one dialog, even if the host has its text already", async () => {
  const tavern = await openTavern({ stored: { rateLimitMaxRetries: 1 } });
  await tavern.page.evaluate(() => window.tavern.openQuotaDialog());
  await tavern.settle();
  await tavern.always({ do: "fail-quota", afterMs: 10 });
  await tavern.page.evaluate(() => {
    for (let call = 0; call < 10; call++) window.tavern.ask("other", {});
  });
  const dialogs = () => tavern.page.locator("dialog").count();
  await tavern.advance(1000);
  // Its own, and the one that the Send button left open.
  expect(await dialogs()).toBe(2);
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(20);
  expect(await dialogs()).toBe(2);
  expect(await tavern.page.evaluate(() => window.tavern.clock.pending(window.tavern.windowOf("secondwind")))).toBe(0);
});

test("T3: many used-up quotas at once leave one dialog, and the Send button's own dialog stays", async () => {
  const tavern = await openTavern({ stored: { rateLimitMaxRetries: 1 } });
  await tavern.always({ do: "fail-quota" });
  const dialogs = () => tavern.page.locator("dialog").count();
  for (let call = 0; call < 10; call++) await tavern.ask();
  await tavern.advance(1000);
  expect(await dialogs()).toBe(1);
  await tavern.page.evaluate(() => window.tavern.openQuotaDialog());
  await tavern.settle();
  expect(await dialogs()).toBe(2);
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(20);
  expect(await dialogs()).toBe(2);
  await tavern.page.evaluate(() => window.tavern.openQuotaDialog());
  await tavern.settle();
  expect(await dialogs()).toBe(3);
  expect(await tavern.page.evaluate(() => window.tavern.clock.pending(window.tavern.windowOf("secondwind")))).toBe(0);
});

test("T3: a failure with that text but without a dialog does not cost a later dialog of the Send button", async () => {
  const tavern = await openTavern();
  await tavern.always({ do: "fail", text: "[object Object]" });
  await tavern.ask();
  await tavern.advance(40_000);
  expect(await tavern.startedAt()).toEqual([0, 30_000]);
  await tavern.page.evaluate(() => window.tavern.openQuotaDialog());
  await tavern.settle();
  expect(await tavern.page.locator("dialog").count()).toBe(1);
});
