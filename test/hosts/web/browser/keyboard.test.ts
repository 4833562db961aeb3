import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { callApi, startTurn, waitTitle } from "../support/chat.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();
let server: StartedServer;
beforeAll(async () => {
  server = await startServer({ args: ["--time-scale", "0.05"] });
}, 60_000);

/** Presses Tab until the element has the focus: no more often than a page has stops. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${target}`);
}

test("K7: with the keyboard alone, storm is chosen, a prompt ends in an answer, its receipt opens and the page changes", async () => {
  const page = await openPage(server.url);
  await tabTo(page, page.getByRole("radio", { name: "Calm" }));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.getByRole("radio", { name: "Storm" }).isChecked()).toBe(true);
  await expect
    .poll(async () => (await callApi<{ weather: string }>(server, "GET", "/api/weather")).weather)
    .toBe("storm");
  await tabTo(page, page.getByRole("textbox", { name: "Message" }));
  await page.keyboard.type("What is a retry storm?");
  await page.keyboard.press("Enter");
  await page.getByText(/^Complete · \d+ attempts?/).waitFor({ timeout: 60_000 });
  expect((await page.locator(".markdown").first().textContent())?.length).toBeGreaterThan(100);
  const receipt = page.getByRole("button", { name: "Receipt" });
  await tabTo(page, receipt);
  await page.keyboard.press("Enter");
  expect(await receipt.getAttribute("aria-expanded")).toBe("true");
  await tabTo(page, page.getByRole("link", { name: /^Activity/ }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}/activity`);
  await callApi(server, "PUT", "/api/weather", { weather: "calm" });
}, 90_000);

test("B8: with the keyboard alone, a wait is ended, a model is chosen and a turn is given up", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/rate-limited-60000" });
  const page = await openPage(`${server.url}/c/${id}`);
  await waitTitle(page).filter({ hasText: "retrying in" }).waitFor();
  const count = page.locator(".wait-bubble .count");
  const before = (await count.textContent()) ?? "";
  await tabTo(page, page.getByRole("button", { name: "Retry now" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => count.textContent()).not.toBe(before);
  await tabTo(page, page.getByRole("button", { name: /^Model:/ }));
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.press("Escape");
  expect(await page.getByRole("menu").count()).toBe(0);
  await tabTo(page, page.getByRole("button", { name: "Give up" }));
  await page.keyboard.press("Space");
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await tabTo(page, again);
}, 60_000);
