import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
// Declares what it provides.
import type {} from "../../tavern/support/global-setup.ts";

let browser: Browser;
const opened: Page[] = [];
let faults: string[] = [];
let foreign: string[] = [];
let expected: RegExp[] = [];

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  readonly language?: string;
  readonly context?: BrowserContextOptions;
  /** Runs in the page before its own scripts. */
  readonly before?: () => void;
}

/**
 * Call once in a test file. An error in the console, an exception in the page and a request to another host fail the test that
 * opened the page.
 */
export function usePages(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject("browserAddress"));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    const seen = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
    const called = foreign;
    faults = [];
    foreign = [];
    expected = [];
    expect(seen).toEqual([]);
    expect(called).toEqual([]);
  });
  afterAll(() => browser.close());
}

/** For a test that stops the server: errors that match do not fail it. */
export function expectFaults(...patterns: readonly RegExp[]): void {
  expected.push(...patterns);
}

/** Opens an address in a window of its own: no cookies, nothing remembered. */
export async function openPage(url: string, options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 860, isDark = false, language = "en-US", before } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: isDark ? "dark" : "light",
    locale: language,
    ...options.context,
  });
  if (before !== undefined) await context.addInitScript(before);
  return openTab(await context.newPage(), url);
}

/** A second tab of the same window. */
export async function openBeside(page: Page, url: string): Promise<Page> {
  return openTab(await page.context().newPage(), url);
}

async function openTab(page: Page, url: string): Promise<Page> {
  opened.push(page);
  const { host } = new URL(url);
  page.setDefaultTimeout(15_000);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.host !== host && to.protocol !== "blob:") foreign.push(request.url());
  });
  await page.goto(url);
  return page;
}
