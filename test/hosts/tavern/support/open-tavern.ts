import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { Settings } from "../../../../src/hosts/tavern/settings/schema.ts";
import { Tavern } from "./tavern.ts";

const ORIGIN = "http://tavern.test";

export interface OpenOptions {
  readonly clock?: "virtual" | "real";
  readonly language?: string;
  /** The script's stored variables; a test may store damaged ones. */
  readonly stored?: Partial<Settings> | Readonly<Record<string, unknown>> | string;
  /** Default: the script is installed. */
  readonly isScriptOff?: boolean;
  readonly width?: number;
  /** The test expects errors in the page. */
  readonly isSabotaged?: boolean;
}

let browser: Browser;
let page: Page;
let isSabotaged = false;
const faults: string[] = [];

/** Call once in a test file: one browser page for all its tests. Errors in the page fail the test. */
export function useTavern(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject("browserAddress"));
    page = await browser.newPage();
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
  });
  afterEach(() => {
    const seen = faults.splice(0);
    if (!isSabotaged) expect(seen).toEqual([]);
  });
  afterAll(() => browser.close());
}

/** Opens the host's page with our script enabled in it. */
export async function openTavern(options: OpenOptions = {}): Promise<Tavern> {
  isSabotaged = options.isSabotaged ?? false;
  const tavern = new Tavern(page);
  await page.setViewportSize({ width: options.width ?? 900, height: 1000 });
  const query = new URLSearchParams({ clock: options.clock ?? "virtual", language: options.language ?? "en" });
  await page.goto(`${ORIGIN}/?${query}`);
  await page.evaluate(async (stored) => {
    const { tavern } = window;
    if (stored !== undefined) tavern.variables.set("ours", stored as Record<string, unknown>);
    await tavern.openScript("other", "", "other");
  }, options.stored);
  if (!options.isScriptOff) await tavern.enableScript();
  return tavern;
}
