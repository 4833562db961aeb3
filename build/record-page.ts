// Takes the pictures of the web page in docs/images: an animation of a storm, and one screenshot per page in light and dark.
// `npm run build && npx tsx build/record-page.ts`. Needs Chromium.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { animatePng, type Frame } from "./animation/animate-png.ts";
import { CHROMIUM, findTool } from "./tools.ts";

const IMAGES = resolve("docs/images");
const SIZE = { width: 1000, height: 640 };
const FRAME_MS = 250;
/** The answer stays on the screen for so long before the animation starts again. */
const HOLD_MS = 5000;
const QUESTION = "Explain exponential backoff, with code.";

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startServer(home: string): Promise<Server> {
  const child = spawn(process.execPath, ["dist/cli.cjs", "serve", "--no-open", "--port", "0"], {
    env: { PATH: process.env.PATH, SECONDWIND_HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text as string;
    const url = /http:\/\/\S+/.exec(said)?.[0];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, child };
    }
  }
  throw new Error(`the server did not start: ${said}`);
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: /message/i }).fill(question);
  await page.keyboard.press("Enter");
}

async function chooseWeather(page: Page, name: string): Promise<void> {
  await page.getByRole("radio", { name }).first().check({ force: true });
}

/** From the question in a storm to the receipt of its answer. */
async function recordStorm(browser: Browser, url: string): Promise<readonly Frame[]> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(url);
  await chooseWeather(page, "Storm");
  const frames: Frame[] = [];
  const shoot = async (shownMs: number): Promise<void> => void frames.push({ png: await page.screenshot(), shownMs });
  await shoot(1200);
  await ask(page, QUESTION);
  const receipt = page.getByRole("button", { name: "Receipt" });
  while (!(await receipt.isVisible())) {
    const from = performance.now();
    await shoot(FRAME_MS);
    await sleep(Math.max(0, FRAME_MS - (performance.now() - from)));
  }
  await receipt.click();
  await sleep(400);
  await shoot(HOLD_MS);
  await page.context().close();
  return frames;
}

/** Something to look at: answers in several weathers, a failure, and one generation that waits. */
async function fillActivity(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE });
  for (const weather of ["Calm", "Drizzle", "Storm", "Quota"]) {
    await page.goto(url);
    await chooseWeather(page, weather);
    await ask(page, `What is ${weather.toLowerCase()} weather for a model?`);
    await page.getByRole("button", { name: "Receipt" }).or(page.getByRole("alert")).waitFor({ timeout: 90_000 });
  }
  await page.goto(url);
  await chooseWeather(page, "Storm");
  await ask(page, "Does this one get through?");
  await sleep(1500);
  await page.context().close();
}

async function takePictures(browser: Browser, url: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
    for (const name of ["activity", "policies", "lab", "why"] as const) {
      await page.goto(`${url}/${name}`);
      await prepare(page, name);
      writeFileSync(
        join(IMAGES, `page-${name}-${colorScheme}.png`),
        animatePng([{ png: await page.screenshot(), shownMs: 0 }]),
      );
    }
    await page.context().close();
  }
}

async function prepare(page: Page, name: "activity" | "policies" | "lab" | "why"): Promise<void> {
  if (name === "lab") {
    await page.getByRole("button", { name: /^Run/ }).click();
    await page.getByRole("button", { name: /Save report/, disabled: false }).waitFor({ timeout: 120_000 });
  }
  if (name === "why") {
    await page
      .getByRole("textbox")
      .first()
      .fill(
        'HTTP/1.1 429 Too Many Requests\nretry-after: 20\n\n{"error":{"message":"Rate limit reached for gpt-5.4","code":"rate_limit_exceeded"}}',
      );
  }
  await sleep(1500);
}

const home = mkdtempSync(join(tmpdir(), "secondwind-page-"));
const executablePath = findTool(CHROMIUM);
if (executablePath === undefined) throw new Error("Chromium not found: install it, or set CHROMIUM to its path");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const { url, child } = await startServer(home);
try {
  const frames = await recordStorm(browser, url);
  writeFileSync(join(IMAGES, "storm.png"), animatePng(frames));
  await fillActivity(browser, url);
  await takePictures(browser, url);
} finally {
  child.kill();
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
