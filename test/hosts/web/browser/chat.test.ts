import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, inject, test } from "vitest";
import { callApi, chooseModel, say, startTurn, waitTitle } from "../support/chat.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();
let server: StartedServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);

test("B4: the first page loads at most 150 KB of compressed HTML, styles and scripts, and nothing from elsewhere", async () => {
  const page = await openPage(server.url);
  const loaded = new Set<string>();
  page.on("response", (response) => loaded.add(new URL(response.url()).pathname));
  await page.reload({ waitUntil: "networkidle" });
  const folder = join(inject("program"), "web");
  const names = readdirSync(join(folder, "assets")).filter((name) => loaded.has(`/assets/${name}`));
  expect(names.some((name) => name.endsWith(".js"))).toBe(true);
  const files = ["index.html", ...names.map((name) => join("assets", name))];
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  process.stdout.write(`first page: ${Math.round(bytes / 1024)} KB of HTML, styles and scripts, compressed\n`);
  expect(bytes).toBeLessThanOrEqual(150 * 1024);
}, 60_000);

test("K6: a first message opens a conversation of its own, and back and reload lead where they should", async () => {
  const page = await openPage(server.url);
  await page.getByRole("heading", { name: "Ask something, then make it rain" }).waitFor();
  await say(page, "Explain exponential backoff");
  await page.waitForURL(/\/c\/[\w-]+$/);
  await page.getByText("Complete · 1 attempt").waitFor();
  expect(await page.title()).toContain("Explain exponential backoff");
  await page.getByRole("link", { name: "Activity" }).click();
  await page.waitForURL(`${server.url}/activity`);
  await page.goBack();
  await page.getByText("Complete · 1 attempt").waitFor();
  await page.reload();
  await page.locator(".markdown").first().waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Ask something, then make it rain" }).waitFor();
  await page.goForward();
  await page.locator(".markdown").first().waitFor();
}, 60_000);

test("K6: Enter sends, Shift+Enter does not, and neither does the Enter that ends the input of a character", async () => {
  const page = await openPage(server.url);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.pressSequentially("one");
  await page.keyboard.press("Shift+Enter");
  await field.pressSequentially("two");
  expect(await field.inputValue()).toBe("one\ntwo");
  await field.evaluate((element) => {
    element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }),
    );
    element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }),
    );
  });
  expect(page.url()).toBe(`${server.url}/`);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/c\//);
  expect(await page.locator(".user .bubble p").first().textContent()).toBe("one\ntwo");
  await page.getByText("Complete · 1 attempt").waitFor();
}, 60_000);

test("K6: a message sent while a turn runs steers it, and Stop ends it", async () => {
  const id = await startTurn(server, { message: "wait", model: "sim/overloaded-twice" });
  const page = await openPage(`${server.url}/c/${id}`);
  await waitTitle(page).waitFor();
  await say(page, "And one more thing");
  await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
  await page.getByRole("button", { name: "Retry now" }).click();
  await page.getByText("Retry 2 of 21").waitFor();
  await page.getByRole("button", { name: "Retry now" }).click();
  await page.locator(".bubble").filter({ hasText: "And one more thing" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  const stopped = await startTurn(server, { message: "wait", model: "sim/overloaded" });
  await page.goto(`${server.url}/c/${stopped}`);
  await waitTitle(page).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".wait-bubble").waitFor({ state: "hidden" });
  await page
    .getByText(/Stopped/)
    .first()
    .waitFor();
}, 60_000);

test("K6: an edited message is sent again, and what followed it leaves the conversation", async () => {
  const page = await openPage(server.url);
  await chooseModel(page, "sim/echo");
  await say(page, "first question");
  await page.getByText("Complete · 1 attempt").waitFor();
  await say(page, "second question");
  await expect.poll(() => page.getByText("Complete · 1 attempt").count()).toBe(2);
  await page.locator(".user").first().hover();
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.getByRole("textbox", { name: "Edit the message" }).fill("better question");
  await page.keyboard.press("Enter");
  await page.locator(".bubble").filter({ hasText: "better question" }).waitFor();
  await expect.poll(() => page.locator(".bubble").count()).toBe(1);
  await expect.poll(() => page.getByText("Complete · 1 attempt").count()).toBe(1);
  await page.reload();
  await page.locator(".bubble").filter({ hasText: "better question" }).waitFor();
  expect(await page.locator(".bubble").count()).toBe(1);
}, 60_000);

test("K6: a conversation is renamed, found, exported and deleted", async () => {
  const id = await startTurn(server, { message: "to be renamed" });
  const page = await openPage(`${server.url}/c/${id}`);
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("A <b>new</b> title");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "A <b>new</b> title" }).waitFor();
  await page.getByRole("button", { name: "Search conversations" }).click();
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("NEW");
  await page
    .getByRole("navigation", { name: "Conversations" })
    .getByRole("link", { name: "A <b>new</b> title" })
    .waitFor();
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("nothing like it");
  await page.getByText("No conversation matches.").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toBe(`conversation-${id}.md`);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(`${server.url}/`);
  await expect(callApi(server, "GET", `/api/conversations/${id}`)).rejects.toThrow("404");
}, 60_000);

test("K7: the page fits into 360 px in every weather, in both languages and themes", async () => {
  for (const [language, isDark] of [
    ["en-US", false],
    ["zh-CN", true],
  ] as const) {
    const page = await openPage(server.url, { width: 360, height: 740, language, isDark });
    for (const weather of ["calm", "drizzle", "storm", "quota"]) {
      await callApi(server, "PUT", "/api/weather", { weather });
      await page.reload();
      await page.locator(".first-run").waitFor();
      const [content, width] = await page.evaluate(() => {
        const bar = document.querySelector(".top-bar") as HTMLElement;
        return [Math.max(bar.scrollWidth, document.documentElement.scrollWidth), window.innerWidth];
      });
      expect(content, `${language} ${weather}`).toBeLessThanOrEqual(width);
    }
  }
  await callApi(server, "PUT", "/api/weather", { weather: "calm" });
}, 90_000);
