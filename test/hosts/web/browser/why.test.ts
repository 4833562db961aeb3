import { beforeAll, describe, expect, test } from "vitest";
import { callApi, startTurn } from "../support/chat.ts";
import { findProblems } from "../support/find-problems.ts";
import { LOOKS } from "../support/looks.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();
let server: StartedServer;
beforeAll(async () => {
  server = await startServer();
});

const LIMIT = `HTTP/1.1 429 Too Many Requests
retry-after: 20

{"error":{"message":"Rate limit reached for gpt-4o. Please try again in 5.7s.","code":"rate_limit_exceeded"}}`;

describe("the why page", { timeout: 60_000 }, () => {
  test("B1: explains a pasted error as you type, without sending it anywhere", async () => {
    const page = await openPage(`${server.url}/why`);
    await page.getByText("The explanation appears here while you type.").waitFor();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.getByLabel("The error").fill(LIMIT);
    const card = page.locator("article.card");
    await card.getByRole("heading", { name: "Rate limit" }).waitFor();
    await card.getByText("HTTP 429 · openai").waitFor();
    await card.getByText("about 20 s").waitFor();
    await card.getByText("(retry-after; the text says 5.7 s, the longer one counts)").waitFor();
    await card.getByText("Waits 20 s, then retries (at most 21 times)").getByText("in use").waitFor();
    await page.getByLabel("The error").fill("Error: socket hang up");
    await page.locator('article[data-kind="network"]').waitFor();
    expect(sent.filter((request) => request.startsWith("POST"))).toEqual([]);
    expect(page.url()).toBe(`${server.url}/why`);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("The explanation appears here while you type.").waitFor();
    expect(await page.getByLabel("The error").evaluate((box) => box === document.activeElement)).toBe(true);
  });

  test("B2: the provider changes what the same text means", async () => {
    const page = await openPage(`${server.url}/why`);
    await page.getByLabel("The error").fill('HTTP/1.1 429\n\n{"error":{"code":"1113","message":"余额不足"}}');
    await page.locator("article.card").waitFor();
    await page.getByLabel("Provider").selectOption("zhipu");
    await page.locator('article[data-kind="usage_limit"]').waitFor();
  });

  test("B1: every example has a card, keys are masked, and the card can be copied as text and as JSON", async () => {
    const page = await openPage(`${server.url}/why`, {
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    for (const example of await page.locator(".example").all()) {
      await example.click();
      await page.locator("article.card h2").waitFor();
    }
    const secret = "sk-proj-Abcdef0123456789Abcdef0123456789";
    await page.getByLabel("The error").fill(`HTTP/1.1 401 Unauthorized\n\nIncorrect API key provided: ${secret}`);
    await page.locator('article[data-kind="auth"]').getByText("[masked]").waitFor();
    expect(await page.locator("article.card").textContent()).not.toContain(secret);
    await page.getByRole("button", { name: "Copy as text" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain("Key refused (HTTP 401)");
    expect(text).not.toContain(secret);
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^\{"kind":"auth","scope":"credential","retryable":false/);
  });

  test("B1: provider text is shown as text", async () => {
    const page = await openPage(`${server.url}/why`);
    await page.getByLabel("The error").fill("HTTP/1.1 500\n\n<img src=x onerror=alert(1)><script>alert(1)</script>");
    await page.locator("article.card pre").getByText("<img src=x").waitFor();
    expect(await page.locator("article.card img, article.card script").count()).toBe(0);
  });

  test("B1: a recorded error is explained by kind, status and hint", async () => {
    await startTurn(server, { message: "Hello", model: "sim/unauthorized" }).catch(() => undefined);
    await expect
      .poll(
        async () => {
          const { failures } = await callApi<{ failures: readonly unknown[] }>(server, "GET", "/api/activity/summary");
          return failures.length;
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0);
    const page = await openPage(`${server.url}/why`);
    await page.locator("section ul button").first().click();
    await page.locator("article.card").getByText("from activity").waitFor();
    expect(await page.locator("article.card pre").count()).toBe(0);
  });

  test("B1: the text survives a look at another page", async () => {
    const page = await openPage(`${server.url}/why`);
    await page.getByLabel("The error").fill(LIMIT);
    await page.getByRole("link", { name: "Lab" }).click();
    await page.getByRole("button", { name: "Save report" }).waitFor();
    await page.getByRole("link", { name: "Why" }).click();
    await page.locator('article[data-kind="rate_limit"]').waitFor();
  });

  test("B1: a text of a megabyte is explained without freezing the page", async () => {
    const page = await openPage(`${server.url}/why`);
    await page.getByLabel("The error").waitFor();
    const tookMs = await page.evaluate(async () => {
      const box = document.querySelector("textarea") as HTMLTextAreaElement;
      const from = performance.now();
      box.value = `HTTP/1.1 503 Service Unavailable\n\n${"overloaded ".repeat(90_000)}`;
      box.dispatchEvent(new Event("input", { bubbles: true }));
      while (document.querySelector("article.card") === null) await new Promise((done) => setTimeout(done, 20));
      return performance.now() - from;
    });
    expect(tookMs).toBeLessThan(3000);
  });

  test.each(LOOKS)("B1: is accessible and fits at %i px (dark: %s, %s)", async (width, isDark, language) => {
    const page = await openPage(`${server.url}/why`, { width, isDark, language });
    await page.locator("textarea").fill(LIMIT);
    await page.locator("article.card").waitFor();
    if (language === "zh-CN") await page.getByRole("heading", { name: "速率限制" }).waitFor();
    expect(await findProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
