import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { ConversationView } from "../../../../src/wire/http/chat.ts";
import { callApi, chooseModel, say, startTurn, waitTitle } from "../support/chat.ts";
import { openBeside, openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();
let server: StartedServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);

const TITLE = /^⚠ Server overloaded — retrying in (\d+)s…$/;

/** The first six texts that the title shows. */
function titles(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = [];
        const timer = setInterval(() => {
          const text = document.querySelector(".wait-bubble .ticking")?.textContent ?? "";
          if (text !== "" && seen.at(-1) !== text) seen.push(text);
          if (seen.length >= 6) {
            clearInterval(timer);
            resolve(seen);
          }
        }, 20);
      }),
  );
}

test("K7: the bubble counts down each second with the promised words, then the answer takes its place", async () => {
  const page = await openPage(server.url);
  await chooseModel(page, "sim/overloaded-twice");
  await say(page, "Explain backoff");
  await waitTitle(page).waitFor();
  const seen = await titles(page);
  expect(seen.slice(0, 5)).toEqual([
    "⚠ Server overloaded — retrying in 5s…",
    "⚠ Server overloaded — retrying in 4s…",
    "⚠ Server overloaded — retrying in 3s…",
    "⚠ Server overloaded — retrying in 2s…",
    "⚠ Server overloaded — retrying in 1s…",
  ]);
  // An attempt that fails at once goes straight to the next wait.
  expect(seen[5]).toMatch(/^⚠ Server overloaded — retrying (?:now|in 10s)…$/);
  const bubble = page.locator(".wait-bubble");
  await waitTitle(page).filter({ hasText: "retrying in" }).waitFor();
  expect(await bubble.locator(".code-chip").textContent()).toBe("529");
  expect(await bubble.locator(".message .mono").textContent()).toContain('HTTP 529: {"type":"error"');
  expect(await bubble.textContent()).toContain("The endpoint is up, but has more work than it can handle.");
  expect(await bubble.textContent()).toContain("Retry 2 of 21");
  await bubble.getByRole("button", { name: "Retry now" }).click();
  await page.getByText("Complete · 3 attempts").waitFor();
  expect(await bubble.count()).toBe(0);
}, 60_000);

test("K7: a page that joins late or is reloaded in the middle of a wait goes on with the same countdown", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/overloaded" });
  const retryAt = async (): Promise<number> =>
    (await callApi<ConversationView>(server, "GET", `/api/conversations/${id}`)).retryAt ?? 0;
  // The second wait, of 10 s: there is time to open the page in the middle of it.
  await expect.poll(async () => (await retryAt()) - Date.now(), { timeout: 15_000 }).toBeGreaterThan(6000);
  const until = await retryAt();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const page = await openPage(`${server.url}/c/${id}`);
  for (let look = 0; look < 2; look++) {
    await waitTitle(page).waitFor();
    const shown = Number(TITLE.exec((await waitTitle(page).textContent()) ?? "")?.[1]);
    expect(shown - (until - Date.now()) / 1000).toBeGreaterThan(-0.5);
    expect(shown - (until - Date.now()) / 1000).toBeLessThan(1.8);
    await page.reload();
  }
  await callApi(server, "POST", `/api/conversations/${id}/abort`);
}, 60_000);

test("K7: a computer whose clock is an hour slow shows the right countdown", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/overloaded" });
  const page = await openPage(`${server.url}/c/${id}`, {
    before: () => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - 3_600_000;
    },
  });
  await waitTitle(page).waitFor();
  expect(await waitTitle(page).textContent()).toMatch(/retrying (?:in [1-6]s|now)…$/);
  await callApi(server, "POST", `/api/conversations/${id}/abort`);
}, 60_000);

test("B8: “Retry now” in one tab ends the wait that another tab shows, and so does “Give up”", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/overloaded" });
  const page = await openPage(`${server.url}/c/${id}`);
  const other = await openBeside(page, `${server.url}/c/${id}`);
  await waitTitle(other).filter({ hasText: "retrying in" }).waitFor();
  const count = (await other.locator(".wait-bubble .count").textContent()) ?? "";
  await other.getByRole("button", { name: "Retry now" }).click();
  await page.bringToFront();
  await expect.poll(() => page.locator(".wait-bubble .count").textContent()).not.toBe(count);
  await page.getByRole("button", { name: "Give up" }).click();
  await other.bringToFront();
  await other.getByRole("alert").filter({ hasText: "The server is overloaded" }).waitFor();
  expect(await other.locator(".wait-bubble").count()).toBe(0);
}, 60_000);

test("B8: “Give up” ends the turn with the error in red, and “Try again” starts it anew", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/overloaded" });
  const page = await openPage(`${server.url}/c/${id}`);
  await page.getByRole("button", { name: "Give up" }).click();
  const error = page.getByRole("alert").filter({ hasText: "The server is overloaded" });
  await error.waitFor();
  expect(await error.textContent()).toContain("HTTP 529:");
  expect(await page.locator(".wait-bubble").count()).toBe(0);
  await error.getByRole("button", { name: "Try again" }).click();
  await waitTitle(page).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  expect(await page.locator(".wait-bubble").count()).toBe(0);
}, 60_000);

test("K7: an error that no retry can help ends in red with what helps, another model and why", async () => {
  const id = await startTurn(server, { message: "hello", model: "sim/unauthorized" });
  const page = await openPage(`${server.url}/c/${id}`);
  const error = page.getByRole("alert").filter({ hasText: "The key was refused" });
  await error.waitFor();
  expect(await error.textContent()).toContain("What helps: a complete and valid key of this provider.");
  await error.getByRole("button", { name: "Another model" }).click();
  await page.getByRole("menuitem", { name: "sim/sonnet", exact: true }).click();
  await page.getByText("Complete · 1 attempt").waitFor();
  await page.getByRole("button", { name: "Why?" }).click();
  await page.waitForURL(`${server.url}/why`);
}, 60_000);

test("K7: other kinds of failure have their own words", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/rate-limited" });
  const page = await openPage(`${server.url}/c/${id}`);
  await waitTitle(page).waitFor();
  expect(await waitTitle(page).textContent()).toMatch(/^⚠ Rate limited — retrying in (?:\d+m )?\d+s…$/);
  await page.getByRole("button", { name: "Switch to Chinese" }).click();
  expect(await waitTitle(page).textContent()).toMatch(/^⚠ 请求过快 — /);
  await callApi(server, "POST", `/api/conversations/${id}/abort`);
}, 60_000);

test("K7: screen readers hear the start of a wait and its last 10 seconds, not each second", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/overloaded" });
  const page = await openPage(`${server.url}/c/${id}`);
  await waitTitle(page).waitFor();
  const heard = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const region = document.querySelector('[aria-live="polite"][aria-atomic="true"]') as HTMLElement;
        const texts = [region.textContent ?? ""];
        new MutationObserver(() => texts.push(region.textContent ?? "")).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
        setTimeout(() => resolve(texts), 5400);
      }),
  );
  // The first wait, perhaps its end, and the second wait.
  expect(heard.length).toBeLessThanOrEqual(3);
  expect(heard[0]).toMatch(/^Server overloaded — retrying in [345]s…$/);
  expect(heard.at(-1)).toBe("Server overloaded — retrying in 10s…");
  expect(await page.locator(".wait-bubble .ticking").getAttribute("aria-hidden")).toBe("true");
  await callApi(server, "POST", `/api/conversations/${id}/abort`);
}, 60_000);
