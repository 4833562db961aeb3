import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { ConversationView } from "../../../../src/wire/http/chat.ts";
import { often } from "../../../support/soak.ts";
import { waitTitle } from "../support/chat.ts";
import { type FakeServer, fakeServer } from "../support/fake-server.ts";
import { bestOfThree, LONG_TASK_MS, measure, report } from "../support/measure-tasks.ts";
import { openPage, usePages } from "../support/open-page.ts";

usePages();
let server: FakeServer;
let turns = 0;
beforeAll(async () => {
  server = await fakeServer(join(inject("program"), "web"));
  server.conversations = Array.from({ length: 20 }, (_, at) => conversation(`c${at}`));
});
afterAll(() => server.close());

const PART = `## Backoff with jitter

After each failure the client waits longer, and **not all clients wait equally long**: else they would come back together. See
[the paper](https://example.com/jitter) for the figures, and \`delayFor\` for the code.

- The first wait is short, since most faults are over within seconds.
- Each next one is twice as long, up to a limit.
- A hint of the server, such as \`retry-after\`, counts more than the schedule.

| retry | wait | jitter |
|---|---:|---:|
| 1 | 1 s | 0.5 s |
| 2 | 2 s | 1 s |

\`\`\`ts
export function delayFor(retry: number): number {
  // Full jitter: anything between zero and the cap.
  return Math.random() * Math.min(60_000, 1000 * 2 ** retry);
}
\`\`\`

`;

function conversation(id: string): ConversationView {
  const at = Date.now();
  const message = (seq: number, turnId: string, one: object) => ({ type: "message", seq, at, turnId, message: one });
  const lines = Array.from({ length: 6 }, (_, turn) => [
    message(2 * turn + 1, `old${turn}`, { role: "user", content: "Explain backoff" }),
    message(2 * turn + 2, `old${turn}`, {
      role: "assistant",
      parts: [{ type: "text", text: PART }],
      model: "sim/sonnet",
      stopReason: "end",
    }),
  ]).flat() as ConversationView["lines"];
  return { id, title: "Backoff", createdAt: at, updatedAt: at, state: "idle", lines };
}

/** Opens a conversation of six turns in which a turn has just begun. */
async function begin(options = {}): Promise<{ page: Page; write(text: string): void; wait(leftMs: number): void }> {
  const turn = { conversationId: `c${turns}`, turnId: `live${turns++}` };
  const page = await openPage(`${server.url}/c/${turn.conversationId}`, options);
  await page.locator(".turn").nth(5).waitFor();
  server.emit({ ...turn, type: "turn-start", model: "sim/sonnet" });
  server.emit({ ...turn, type: "user-message", content: "And now at length" });
  await page.locator(".turn").nth(6).waitFor();
  return {
    page,
    write: (text) => server.emit({ ...turn, type: "text-delta", text }),
    wait: (leftMs) =>
      server.emit({
        ...turn,
        type: "provider-retry",
        attempt: 1,
        delayMs: 30_000,
        retryAt: Date.now() + leftMs,
        message: 'HTTP 529: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        code: "529",
        generationId: "g",
        maxRetries: 21,
      }),
  };
}

const PACE_MS = 20;

/** In words of a few characters each, as providers send them. */
async function stream(write: (text: string) => void, text: string, charsPerSecond: number): Promise<void> {
  const size = Math.max(1, Math.round((charsPerSecond * PACE_MS) / 1000));
  const from = Date.now();
  for (let sent = 0; sent < text.length; sent += size) {
    write(text.slice(sent, sent + size));
    const ahead = from + (sent / charsPerSecond) * 1000 - Date.now();
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
}

/** Where things are in each frame while `during` runs: every value that changed, with its first and last. */
async function movements(
  page: Page,
  selectors: readonly string[],
  during: () => Promise<void>,
): Promise<readonly string[]> {
  await page.evaluate((all) => {
    const seen = new Map<string, Set<string>>();
    Object.assign(window, { seen, isWatching: true });
    const frame = (): void => {
      for (const selector of all) {
        const rect = document.querySelector(selector)?.getBoundingClientRect();
        const box = rect === undefined ? "absent" : [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
        seen.set(selector, (seen.get(selector) ?? new Set()).add(box));
      }
      if ((window as unknown as { isWatching: boolean }).isWatching) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, selectors);
  await during();
  return page.evaluate(() => {
    const { seen } = Object.assign(window as unknown as { seen: Map<string, Set<string>> }, { isWatching: false });
    return [...seen].flatMap(([selector, boxes]) => (boxes.size > 1 ? [`${selector}: ${[...boxes].join(" → ")}`] : []));
  });
}

test("K7: while an answer streams, neither the composer nor what a reader has scrolled to moves", async () => {
  const { page, write } = await begin();
  await stream(write, PART.repeat(2), 4000);
  const column = page.locator(".conversation .column");
  // The reader goes up while more arrives.
  await page.mouse.move(640, 300);
  await page.mouse.wheel(0, -900);
  await page.getByRole("button", { name: "To the latest message" }).waitFor();
  await page.waitForTimeout(300);
  const top = await column.evaluate((element) => element.scrollTop);
  const fixed = [
    ".composer",
    ".composer textarea",
    ".conversation-header",
    ".side-bar",
    ".turn:nth-child(6)",
    ".turn:nth-child(7) .bubble",
    ".turn:nth-child(7) .markdown > :first-child",
  ];
  expect(await movements(page, fixed, () => stream(write, PART.repeat(12), 4000))).toEqual([]);
  expect(await column.evaluate((element) => element.scrollTop)).toBe(top);
  // Back at the end, the column follows again.
  await page.getByRole("button", { name: "To the latest message" }).click();
  await stream(write, PART.repeat(2), 4000);
  await expect
    .poll(() => column.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop))
    .toBeLessThan(2);
}, 60_000);

test("K7: while an answer streams, the browser counts no layout shift", async () => {
  const { page, write } = await begin();
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift" });
  });
  const fixed = [".composer", ".conversation-header"];
  expect(await movements(page, fixed, () => stream(write, PART.repeat(10), 4000))).toEqual([]);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02);
}, 60_000);

test("K7: the end of a long answer streams without a long task", async () => {
  const seconds = often(2, 4);
  const chars = often(100_000, 200_000);
  const { page, write } = await begin();
  const text = PART.repeat(Math.ceil(chars / PART.length));
  const known = chars - 20_000;
  for (let from = 0; from < known; from += 20_000) {
    write(text.slice(from, from + 20_000));
    await page.waitForTimeout(100);
  }
  let sent = known;
  const measured = await bestOfThree(
    ({ worstCpuMs }) => worstCpuMs,
    () =>
      measure(page, async () => {
        const from = sent;
        sent += text.length - known;
        await stream(write, text.repeat(2).slice(from, sent), (sent - from) / seconds);
      }),
  );
  report(`an answer of ${chars / 1000} KB, the last 20 KB in ${seconds} s`, measured, seconds);
  expect(measured.worstCpuMs).toBeLessThanOrEqual(LONG_TASK_MS);
  expect(await page.locator(".turn:nth-child(7) .markdown > *").count()).toBeGreaterThan(chars / 250);
}, 120_000);

test.each([1280, 360])(
  "K7: the wait bubble has the same box at 9 s as at 10 s (%i px)",
  async (width) => {
    const { page, wait } = await begin({ width, height: 740 });
    wait(11_000);
    await waitTitle(page).filter({ hasText: "in 10s" }).waitFor();
    const fixed = [".wait-bubble", ".wait-bubble .now", ".wait-bubble .up", ".wait-bubble .message", ".composer"];
    const moved = await movements(page, fixed, () => waitTitle(page).filter({ hasText: "in 9s" }).waitFor());
    expect(moved).toEqual([]);
  },
  60_000,
);
