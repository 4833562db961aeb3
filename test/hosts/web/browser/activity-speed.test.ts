import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { ActivityRecord } from "../../../../src/wire/http/activity.ts";
import { often } from "../../../support/soak.ts";
import { type FakeServer, fakeServer } from "../support/fake-server.ts";
import { madeRecord } from "../support/made-records.ts";
import { bestOfThree, LONG_TASK_MS, longestMs, measure, report } from "../support/measure-tasks.ts";
import { openPage, usePages } from "../support/open-page.ts";

usePages();
let server: FakeServer;
beforeAll(async () => {
  server = await fakeServer(join(inject("program"), "web"));
});
afterAll(() => server.close());

const KNOWN = 10_000;
const PER_SECOND = 200;
const SECONDS = often(2, 8);
const MESSAGES_PER_SECOND = 10;
/** Each generation comes three times: when it starts, when it answers, when it has ended. */
async function feed(seconds: number): Promise<void> {
  const perMessage = PER_SECOND / MESSAGES_PER_SECOND;
  let before: ActivityRecord[] = [];
  let number = 0;
  for (let message = 0; message < seconds * MESSAGES_PER_SECOND; message++) {
    const at = Date.now();
    const started = Array.from({ length: perMessage }, () => madeRecord(++number, at));
    const running = started.map(
      ({ endedAt: _, outcome: __, answered: ___, ...record }): ActivityRecord => ({ ...record, state: "attempting" }),
    );
    const answering = running.map((record): ActivityRecord => ({ ...record, state: "answering" }));
    server.send([...running, ...answering, ...before]);
    before = started;
    await new Promise((resolve) => setTimeout(resolve, 1000 / MESSAGES_PER_SECOND));
  }
}

async function openFull(): Promise<Page> {
  const at = Date.now();
  server.records = Array.from({ length: KNOWN }, (_, index) => madeRecord(index, at - 60_000 - index * 300));
  const page = await openPage(`${server.url}/activity`);
  await page.locator(".face").first().waitFor();
  // What the server knows is read page by page; here all of it arrives as if the page had been open since.
  for (let from = 0; from < KNOWN; from += 250) {
    server.send(server.records.slice(from, from + 250));
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await page.locator(`li[aria-setsize="${KNOWN}"]`).first().waitFor();
  return page;
}

test("B8: the list stays smooth with 10,000 generations while 200 a second come in", async () => {
  const page = await openFull();
  const measured = await bestOfThree(longestMs, () => measure(page, () => feed(SECONDS)));
  report("200 generations/s, list live", measured, SECONDS);
  expect(longestMs(measured)).toBeLessThanOrEqual(LONG_TASK_MS);
  expect(await page.locator("li[data-id]").count()).toBeLessThan(60);
}, 120_000);

test("B8: scrolling through 10,000 generations stays smooth while 200 a second come in", async () => {
  const page = await openFull();
  const measured = await bestOfThree(
    ({ worstCpuMs }) => worstCpuMs,
    () =>
      measure(page, async () => {
        const feeding = feed(SECONDS);
        await page.mouse.move(640, 600);
        for (let step = 0; step < SECONDS * 10; step++) {
          await page.mouse.wheel(0, step % 20 < 15 ? 900 : -700);
          await new Promise((resolve) => setTimeout(resolve, 80));
        }
        await feeding;
      }),
  );
  report("200 generations/s while scrolling", measured, SECONDS);
  // Jumps of a whole screen use the processor in every frame: on a busy machine only its own share counts.
  expect(measured.worstCpuMs).toBeLessThanOrEqual(LONG_TASK_MS);
  expect(await page.getByRole("button", { name: / new$/ }).textContent()).toMatch(/^[\d,]+ new$/);
}, 120_000);
