import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Receipt } from "../../../../src/kernel/index.ts";
import { PRESETS } from "../../../../src/presets/index.ts";
import type { AgentEvent } from "../../../../src/wire/turn-event.ts";
import { type FakeServer, fakeServer, SESSION } from "../support/fake-server.ts";
import { findProblems } from "../support/find-problems.ts";
import { madeRecord, madeWaiting } from "../support/made-records.ts";
import { expectFaults, openPage, usePages } from "../support/open-page.ts";

// The states of activity, policies, lab and why that need a real server are checked with those pages.

usePages();
let server: FakeServer;
beforeAll(async () => {
  server = await fakeServer(join(inject("program"), "web"));
  const at = Date.now();
  server.conversations = (["idle", "waiting", "failed", "interrupted"] as const).map((state, index) => ({
    id: `c${index}`,
    title: `A conversation that is ${state}, with a title that is too long for the side bar`,
    createdAt: at,
    updatedAt: at - index * 86_400_000,
    state,
    ...(state === "waiting" && { retryAt: at + 600_000 }),
    lines: [
      asked(1, at, "old"),
      ...(state === "interrupted" ? [] : [answered(at)]),
      ...(state === "failed" ? [asked(3, at, "live")] : []),
    ],
  }));
  const figures = { generations: 0, answered: 0, retried: 0, calls: 0, meanWaitMs: 0 };
  server.answers = {
    "/api/policies": {
      policies: Object.entries(PRESETS).map(([name, make]) => ({ name, isPreset: true, policy: make() })),
    },
    "/api/policies/estimate": { recorded: figures, estimated: figures },
  };
  server.session = {
    ...SESSION,
    models: [...SESSION.models, { id: "sim/haiku", provider: "sim" }],
    weather: { weather: "storm", faults: [{ name: "overloaded", title: "Overloaded (529)" }] },
  };
  server.records = [
    madeWaiting(1, at),
    ...Array.from({ length: 30 }, (_, index) => madeRecord(index, at - index * 9000)),
  ];
  server.health = {
    items: [{ id: "h", type: "cooldown", provider: "sim", credential: "first", until: at + 600_000 }],
    fine: ["openai"],
    budgets: [{ provider: "sim", tokens: 40, capacity: 100 }],
  };
});
afterAll(() => server.close());

function asked(seq: number, at: number, turnId: string) {
  return { type: "message" as const, seq, at, turnId, message: { role: "user" as const, content: "Explain backoff" } };
}

function answered(at: number) {
  const text =
    "# A title\n\nWords with `code`, [a link](https://example.com) and\n\n- [x] a task\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 'text'; // a comment\n```\n";
  const parts = [{ type: "text" as const, text }];
  const message = { role: "assistant" as const, parts, model: "sim/sonnet", stopReason: "end" as const };
  return { type: "message" as const, seq: 2, at, turnId: "old", message };
}

const TARGET = { provider: "sim", model: "sonnet", credential: "first" };
const MESSAGE = `HTTP 529: {"type":"error","error":{"type":"overloaded_error","message":"${"Overloaded. ".repeat(40)}"}}`;
const RECEIPT: Receipt = {
  generationId: "g",
  complete: false,
  truncated: false,
  outcome: "retries-exhausted",
  attempts: 2,
  calls: 2,
  waitedMs: 5000,
  patienceMs: null,
  elapsedMs: 9000,
  targets: [TARGET],
  history: [
    { attempt: 1, target: TARGET, kind: "overloaded", status: 529, waitedMs: 5000 },
    { attempt: 2, target: TARGET, kind: "overloaded", status: 529 },
  ],
  warnings: [],
};

type Unplaced = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, "conversationId" | "turnId">
    : never
  : never;

async function openTurn(id: string, ...events: readonly Unplaced[]): Promise<Page> {
  const page = await openPage(`${server.url}/c/${id}`);
  await page.locator(".turn").first().waitFor();
  for (const event of [
    { type: "turn-start", model: "sim/sonnet" },
    { type: "user-message", content: "And now?" },
    ...events,
  ])
    server.emit({ ...event, conversationId: id, turnId: "live" } as AgentEvent);
  await page.locator(".turn").nth(1).waitFor();
  return page;
}

/** In light and dark, wide and at 360 px: axe-core finds nothing serious, and nothing scrolls sideways. */
async function expectAccessible(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [1280, "dark"],
    [360, "dark"],
    [360, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const where = `${width} px, ${colorScheme}`;
    expect(await findProblems(page), where).toEqual([]);
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll("main, .column")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => `${element.tagName} ${element.className} ${element.scrollWidth}`),
    );
    expect(wide, where).toEqual([]);
  }
}

test("K7: the first page, an address that does not exist and the menu of models are accessible", async () => {
  const page = await openPage(server.url);
  await page.locator(".first-run").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("menu").waitFor();
  expect(await findProblems(page)).toEqual([]);
  await page.goto(`${server.url}/no/such/page`);
  await page.locator("main h1").waitFor();
  await expectAccessible(page);
}, 60_000);

test("K7: reasoning, a tool call and a wait are accessible, folded and open", async () => {
  const page = await openTurn(
    "c0",
    { type: "reasoning-delta", text: "First I think." },
    { type: "tool-call", toolCallId: "t", toolName: "search", arguments: { query: "backoff" } },
    { type: "tool-result", toolCallId: "t", toolName: "search", content: "Not found", isError: true },
    { type: "tool-call", toolCallId: "u", toolName: "search", arguments: { query: "jitter" } },
    {
      type: "provider-retry",
      attempt: 0,
      delayMs: 600_000,
      retryAt: Date.now() + 600_000,
      message: MESSAGE,
      code: "529",
      generationId: "g",
      maxRetries: 21,
    },
  );
  await page.locator(".wait-bubble").waitFor();
  await expectAccessible(page);
  await page.locator(".fold > button").evaluateAll((all) => {
    for (const button of all) (button as HTMLElement).click();
  });
  expect(await page.locator('.fold > [aria-expanded="true"]').count()).toBe(3);
  await expectAccessible(page);
}, 60_000);

test("K7: a final error, an open receipt and an interrupted turn are accessible", async () => {
  const page = await openTurn(
    "c2",
    { type: "text-delta", text: "Half of an" },
    { type: "step-complete", step: 1, finishReason: "length", receipt: RECEIPT },
    { type: "error", message: MESSAGE, code: "529", receipt: RECEIPT },
    { type: "turn-sealed", status: "error" },
  );
  await page.locator(".final-error").waitFor();
  await page.getByRole("button", { name: "Receipt" }).click();
  expect(await page.locator(".receipt li").count()).toBe(2);
  await page.getByRole("button", { name: "Show all" }).click();
  await expectAccessible(page);
  await page.goto(`${server.url}/c/c3`);
  await page.getByRole("button", { name: "Continue" }).waitFor();
  await expectAccessible(page);
}, 60_000);

test("K7: dialogs and the side bar of a narrow window are accessible", async () => {
  const page = await openPage(`${server.url}/c/c0`, { width: 360, height: 740 });
  await page.getByRole("button", { name: "Open the side bar" }).click();
  await page.getByRole("navigation", { name: "Conversations" }).waitFor();
  expect(await findProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("dialog").waitFor();
  await expectAccessible(page);
}, 60_000);

test("K6: activity with a cooldown, a waiting row and an open one is accessible", async () => {
  const page = await openPage(`${server.url}/activity`);
  await page.locator(".face").nth(2).click();
  await page.locator(".row-details").waitFor();
  await expectAccessible(page);
}, 60_000);

test("K5: a preset with every section open is accessible", async () => {
  const page = await openPage(`${server.url}/policies/patient`);
  await page.locator("[data-section]").first().waitFor();
  await page.locator("[data-section]").evaluateAll((all) => {
    for (const section of all) (section as HTMLDetailsElement).open = true;
  });
  await expectAccessible(page);
}, 60_000);

test("B4: the form for the access key and a server that is away are accessible", async () => {
  server.session = { ...server.session, needsKey: true };
  const page = await openPage(server.url);
  await page.getByLabel("Access key").waitFor();
  await expectAccessible(page);
  server.session = { ...server.session, needsKey: false };
  expectFaults(/ERR_|Failed to load/);
  await page.route("**/api/session", (route) => route.abort());
  await page.reload();
  await page
    .getByText(/does not respond|not reach/i)
    .first()
    .waitFor();
  await expectAccessible(page);
}, 60_000);
