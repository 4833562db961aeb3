import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type {} from "../../tavern/support/global-setup.ts";

let browser: Browser;
const contexts: BrowserContext[] = [];
const faults: string[] = [];

/** Call once in a test file. Errors in a page, CSP violations and requests to other hosts included, fail the test. */
export function usePages(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject("browserAddress"));
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
}

/** Faults that a test caused on purpose, such as a request that the server refuses. */
export function takeFaults(): readonly string[] {
  return faults.splice(0);
}

export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  contexts.push(context);
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  const { host } = new URL(url);
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.host !== host && asked.protocol !== "data:") faults.push(`request to ${asked.host}`);
  });
  await page.goto(url);
  return page;
}
