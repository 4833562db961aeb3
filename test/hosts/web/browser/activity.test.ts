import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { callApi, startTurn } from "../support/chat.ts";
import { findProblems } from "../support/find-problems.ts";
import { LOOKS } from "../support/looks.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();

/** The row of the newest generation that was asked of this model. */
function rowOf(page: Page, model: string): Locator {
  return page.locator("li[data-id]:not([hidden])").filter({ hasText: model }).first();
}

/** New rows wait while the pointer is in the list. */
const away = (page: Page): Promise<void> => page.mouse.move(2, 2);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("did not happen within 15 s");
}

describe("activity of a server that has just started", () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer({ args: ["--time-scale", "0.05"] });
  });

  test("K6: the empty page explains a row, and the first generation takes its place live", async () => {
    const page = await openPage(`${server.url}/activity`);
    await page.getByRole("heading", { name: "Nothing yet" }).waitFor();
    expect(await page.locator("pre").textContent()).toContain(`OpenAI(base_url="${server.url}/v1"`);
    expect(await findProblems(page)).toEqual([]);
    await startTurn(server, { message: "Hello", model: "sim/ok" });
    await rowOf(page, "sim/ok").getByText("at first").waitFor();
    expect(await page.getByRole("heading", { name: "Nothing yet" }).count()).toBe(0);
  });

  test("K6: the storm of the empty page sends its questions, and every one becomes a row", async () => {
    const fresh = await startServer({ args: ["--time-scale", "0.05"] });
    const page = await openPage(`${fresh.url}/activity`);
    await page.getByRole("button", { name: "Run 20 questions through a storm" }).click();
    await page.locator('li[aria-setsize="20"]').first().waitFor();
    // Without its server the page would report faults.
    await page.context().close();
    await fresh.stop("SIGKILL");
  });
});

describe("activity", () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer({ args: ["--time-scale", "0.05"] });
    await startTurn(server, { message: "first", model: "sim/ok" });
    await startTurn(server, { message: "refused", model: "sim/unauthorized" });
  });

  test("B8: a waiting row counts down, and Retry now makes the next attempt at once", async () => {
    const page = await openPage(`${server.url}/activity`);
    await startTurn(server, { message: "wait", model: "sim/rate-limited-60000" });
    const row = rowOf(page, "rate-limited-60000");
    const left = row.getByText(/^retry in /);
    await left.waitFor();
    const before = await left.textContent();
    await until(async () => (await left.textContent()) !== before);
    expect(
      await page
        .getByRole("link", { name: /Activity/ })
        .first()
        .textContent(),
    ).toContain("1");
    await row.getByRole("button", { name: "Retry now: sim/rate-limited-60000" }).click();
    await row.locator(".face").click();
    await row.getByText("Rate limit (429) again.").waitFor();
    await row.getByText(/Retried by hand after/).waitFor();
  });

  test.each([700, 768, 1024])("K7: the countdown of a row is whole beside its button, %d px wide", async (width) => {
    const page = await openPage(`${server.url}/activity`, { width });
    const model = `sim/rate-limited-${900_000 + width}`;
    await startTurn(server, { message: "wait", model });
    const left = rowOf(page, model).getByText(/^retry in /);
    await left.waitFor();
    const [shown, needed] = await left.evaluate((text) => [text.clientWidth, text.scrollWidth]);
    expect(needed).toBeLessThanOrEqual(shown ?? 0);
  });

  test("B8: an opened row has its own track, each attempt in words, and Give up ends the generation", async () => {
    const page = await openPage(`${server.url}/activity`);
    await startTurn(server, { message: "wait", model: "sim/rate-limited-50000" });
    const row = rowOf(page, "rate-limited-50000");
    await row.getByText(/^retry in /).waitFor();
    const face = row.locator(".face");
    await face.click();
    expect(await face.getAttribute("aria-expanded")).toBe("true");
    expect(await row.locator(".track").count()).toBe(2);
    expect(await row.locator(".row-details .track").getAttribute("aria-label")).toBe(
      "attempt 1 failed (Rate limit (429)), then is waiting for the next attempt.",
    );
    await row.getByText("This key has sent more than its limit allows in a short time.").waitFor();
    await row.getByRole("button", { name: "Give up" }).click();
    await row.getByText("given up", { exact: true }).waitFor();
    await row.getByText(/Given up after .* of waiting\./).waitFor();
    await row.getByRole("link", { name: "Open the conversation" }).click();
    await page.waitForURL(/\/c\//);
    await page.goBack();
    await rowOf(page, "rate-limited-50000").waitFor();
  });

  test("K7: a focused row shows its error in words, left and right step through the failures, Escape closes it", async () => {
    const page = await openPage(`${server.url}/activity`);
    const row = rowOf(page, "sim/unauthorized");
    await row.getByText("key refused").waitFor();
    const tip = page.getByRole("tooltip");
    await row.locator(".part.failed").first().hover();
    await tip.getByText("Key refused (401).").waitFor();
    await away(page);
    await tip.waitFor({ state: "detached" });
    await page.locator(".face").first().focus();
    await page.keyboard.press("ArrowDown");
    for (let presses = 0; presses < 10 && !(await row.locator(".face:focus").count()); presses++)
      await page.keyboard.press("ArrowDown");
    await tip.getByText("The endpoint does not accept this key.").waitFor();
    expect(await row.locator(".face").getAttribute("aria-describedby")).toBe(await tip.getAttribute("id"));
    await page.keyboard.press("Escape");
    await tip.waitFor({ state: "detached" });
    expect(await row.locator(".face:focus").count()).toBe(1);
  });

  test("K6: filters choose rows, stay after a reload, and the back button takes them back", async () => {
    const page = await openPage(`${server.url}/activity`);
    await rowOf(page, "sim/ok").waitFor();
    await page.getByLabel("Outcome").selectOption("failed");
    await page.waitForURL(/outcome=failed/);
    await rowOf(page, "sim/ok").waitFor({ state: "detached" });
    await rowOf(page, "sim/unauthorized").waitFor();
    await page.getByLabel("Kind").selectOption("auth");
    await page.reload();
    await rowOf(page, "sim/unauthorized").waitFor();
    expect(await page.getByLabel("Outcome").inputValue()).toBe("failed");
    expect(await page.getByLabel("Kind").inputValue()).toBe("auth");
    await startTurn(server, { message: "fine", model: "sim/ok" });
    await startTurn(server, { message: "refused", model: "sim/unauthorized" });
    await page.locator('li[aria-setsize="2"]').first().waitFor();
    await page.getByLabel("Kind").selectOption("network");
    await page.getByText("No generation matches these filters.").waitFor();
    await page.goBack();
    await rowOf(page, "sim/unauthorized").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rowOf(page, "sim/ok").waitFor();
  });

  test("K6: the scale is a radio group that a reload keeps", async () => {
    const page = await openPage(`${server.url}/activity`);
    await rowOf(page, "sim/ok").waitFor();
    await page.getByRole("radio", { name: "1 min" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".tick", { hasText: "4 min" }).waitFor();
    await page.reload();
    await page.locator(".tick", { hasText: "4 min" }).waitFor();
    expect(await page.getByRole("radio", { name: "10 min" }).isChecked()).toBe(true);
  });

  test("K6: while the pointer is in the list or it is paused, new rows wait behind a button", async () => {
    const page = await openPage(`${server.url}/activity`);
    await rowOf(page, "sim/ok").hover();
    await startTurn(server, { message: "held", model: "sim/ok-held" });
    const fresh = page.getByRole("button", { name: "1 new" });
    await fresh.waitFor();
    expect(await rowOf(page, "sim/ok-held").count()).toBe(0);
    await away(page);
    await rowOf(page, "sim/ok-held").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await startTurn(server, { message: "paused", model: "sim/ok-paused" });
    await fresh.click();
    await rowOf(page, "sim/ok-paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test("K6: totals follow what happens", async () => {
    const page = await openPage(`${server.url}/activity`);
    const tile = page.locator(".tile").first();
    const failed = tile.locator(".foot span").nth(2).locator("b");
    await failed.waitFor();
    const before = Number(await failed.textContent());
    await startTurn(server, { message: "refused", model: "sim/unauthorized" });
    await until(async () => Number(await failed.textContent()) === before + 1);
    await page.getByRole("button", { name: "By provider" }).click();
    await page.locator(".tile li", { hasText: "sim" }).waitFor();
  });

  test("E17: a cooldown shows the time left and can be cleared", async () => {
    const own = await startServer({ args: ["--time-scale", "0.05"] });
    const page = await openPage(`${own.url}/activity`);
    await startTurn(own, { message: "quota", model: "sim/quota", policy: "default" });
    const cards = page.locator(".health-strip li", { hasText: /cooling down, \d+:\d\d(:\d\d)? left/ });
    // One for each of the two keys.
    await cards.nth(1).waitFor();
    for (let left = await cards.count(); left > 0; left = await cards.count()) {
      await cards
        .first()
        .getByRole("button", { name: /^Clear: sim/ })
        .click();
      await until(async () => (await cards.count()) < left);
    }
    const { items } = await callApi<{ items: readonly { type: string }[] }>(own, "GET", "/api/health");
    expect(items.filter(({ type }) => type !== "recovering")).toEqual([]);
  }, 60_000);

  test.each(LOOKS)(
    "K6: axe-core finds no serious problem on the page at %i px (dark: %s, %s), and nothing scrolls sideways",
    async (width, isDark) => {
      const page = await openPage(`${server.url}/activity`, { isDark, width });
      const row = rowOf(page, "sim/unauthorized");
      await row.locator(".face").click();
      await row.locator(".row-details").waitFor();
      await page.locator(".tile").first().waitFor();
      if (width < 640) await page.getByRole("button", { name: "Filters" }).click();
      expect(await findProblems(page)).toEqual([]);
      const sideways = await page.evaluate(() => {
        const main = document.querySelector("main");
        return [document.documentElement.scrollWidth - innerWidth, (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0)];
      });
      expect(sideways).toEqual([0, 0]);
    },
  );

  test("K6: the page speaks Chinese", async () => {
    const page = await openPage(`${server.url}/activity`, { language: "zh-CN" });
    await rowOf(page, "sim/ok").getByText("首次成功").waitFor();
    await rowOf(page, "sim/unauthorized").locator(".face").click();
    await page.getByText("端点不接受此密钥。").waitFor();
    expect((await page.locator("main").allInnerTexts()).join()).not.toMatch(/\b(retry|failed|after|Live|Pause|Took)\b/);
  });
});
