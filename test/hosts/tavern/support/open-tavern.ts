import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { Settings } from "../../../../src/hosts/tavern/settings/schema.ts";
import { Tavern } from "./tavern.ts";

/** Not a secure context, as a chat in the local network is not: some of the browser's functions are missing. */
const ORIGIN = "http://tavern.test";

export interface OpenOptions {
  readonly clock?: "virtual" | "real";
  readonly language?: string;
  /** The script's stored variables; a test may store damaged ones. */
  readonly stored?: Partial<Settings> | Readonly<Record<string, unknown>> | string;
  /** Left out: the script is there. */
  readonly isScriptOff?: boolean;
  readonly width?: number;
  /** Errors in the page are what the test is about. */
  readonly isSabotaged?: boolean;
}

let browser: Browser;
let context: BrowserContext;
const opened: Page[] = [];
const faults: string[] = [];

/** Call once in a test file: connects to the browser and closes what the tests have opened. */
export function useTavern(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject("browserAddress"));
    const files = await readFiles();
    context = await browser.newContext();
    await context.route(`${ORIGIN}/**`, (route) => {
      const file = files[new URL(route.request().url()).pathname];
      return file === undefined ? route.fulfill({ status: 404 }) : route.fulfill(file);
    });
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
}

type Files = Readonly<Record<string, { readonly body: string; readonly contentType: string }>>;

async function readFiles(): Promise<Files> {
  const folder = join(import.meta.dirname, "../page");
  const bundled = await build({
    entryPoints: [join(folder, "host-page.ts")],
    bundle: true,
    format: "iife",
    write: false,
  });
  const vue = createRequire(import.meta.url).resolve("vue/dist/vue.runtime.global.prod.js");
  const style = await readFile(join(folder, "style.css"), "utf8");
  const html = `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>
<div id="extensions_settings2"></div><div id="send_but">send</div><div id="mes_stop">stop</div><script src="/host.js"></script></body></html>`;
  // Served, not inlined here: it is large, and travels to the browser once for each page then.
  return {
    "/script.txt": { body: inject("bundle"), contentType: "text/plain" },
    "/": { body: html, contentType: "text/html" },
    "/host.js": { body: bundled.outputFiles[0]?.text ?? "", contentType: "text/javascript" },
    "/vue.js": { body: await readFile(vue, "utf8"), contentType: "text/javascript" },
  };
}

/** Opens the host's page with our script enabled in it. */
export async function openTavern(options: OpenOptions = {}): Promise<Tavern> {
  const page = await context.newPage();
  await page.setViewportSize({ width: options.width ?? 900, height: 1000 });
  opened.push(page);
  const tavern = new Tavern(page);
  if (!options.isSabotaged) {
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
  }
  const query = new URLSearchParams({ clock: options.clock ?? "virtual", language: options.language ?? "en" });
  await page.goto(`${ORIGIN}/?${query}`);
  await page.evaluate((stored) => {
    if (stored !== undefined) window.tavern.variables.set("ours", stored as Record<string, unknown>);
  }, options.stored);
  await page.evaluate(async () => void (await window.tavern.openScript("other", "", "other")));
  if (!options.isScriptOff) await tavern.enableScript();
  return tavern;
}
