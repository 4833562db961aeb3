import { join } from "node:path";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { FAILURE_KINDS, type FailureKind } from "../../../../src/kernel/index.ts";
import { defaultPolicy } from "../../../../src/presets/index.ts";
import type { ConversationLine, ConversationView } from "../../../../src/wire/http/chat.ts";
import type { LabChoices, PolicyView } from "../../../../src/wire/http/server.ts";
import { often } from "../../../support/soak.ts";
import { attemptOf, recordOf } from "../support/activity-records.ts";
import { type FakeServer, fakeServer, NO_SUMMARY, SESSION } from "../support/fake-server.ts";
import { hostilePageText } from "../support/hostile-page-text.ts";
import { inspectPage, setTrap } from "../support/inspect-page.ts";
import { expectFaults, openPage, usePages } from "../support/open-page.ts";

usePages();
/** The same texts in every run; others with `npm run soak`. */
const SEED = often(142_052, Date.now() % 1_000_000);
const TEXTS = fc.sample(hostilePageText, { numRuns: often(3600, 10_000), seed: SEED });
const text = (at: number): string => TEXTS[at % TEXTS.length] as string;
const PER_CONVERSATION = 400;
const LIVE = 400;
const STORED = (TEXTS.length - LIVE) / PER_CONVERSATION;

let server: FakeServer;
beforeAll(async () => {
  server = await fakeServer(join(inject("program"), "web"));
  server.session = {
    ...SESSION,
    model: text(7),
    policy: text(8),
    models: TEXTS.slice(0, 300).map((id) => ({ id, provider: id })),
    weather: { weather: "fault", fault: text(9), faults: TEXTS.slice(0, 100).map((name) => ({ name, title: name })) },
  };
  server.conversations = Array.from({ length: 400 }, (_, at) => conversation(at));
});
afterAll(() => server.close());

function conversation(at: number): ConversationView {
  const from = at * PER_CONVERSATION;
  return {
    id: `c${at}`,
    title: text(at),
    createdAt: Date.now(),
    updatedAt: Date.now() - at,
    state: "idle",
    model: text(at + 1),
    policy: text(at + 2),
    lines:
      at >= STORED ? [] : TEXTS.slice(from, from + PER_CONVERSATION).flatMap((one, index) => lines(one, from + index)),
  };
}

/** An answer, and the same text in one other place, by its number. */
function lines(one: string, number: number): readonly ConversationLine[] {
  const at = { seq: 10 * number + 1, at: 0, turnId: `t${number}` };
  const model = "sim/sonnet";
  const answer = { type: "text", text: one } as const;
  const call = { type: "tool-call", id: `call${number}`, name: one, arguments: { [one]: one } } as const;
  const message = (content: Extract<ConversationLine, { type: "message" }>["message"], seq = 0): ConversationLine => ({
    ...at,
    seq: at.seq + seq,
    type: "message",
    message: content,
  });
  switch (number % 5) {
    case 0:
      return [
        message({ role: "user", content: one }),
        message({ role: "assistant", parts: [answer], model, stopReason: "end" }, 1),
      ];
    case 1:
      return [
        message({ role: "assistant", parts: [{ type: "reasoning", text: one }, answer], model, stopReason: "end" }),
      ];
    case 2:
      return [
        message({ role: "assistant", parts: [answer, call], model, stopReason: "tool-use" }),
        message({ role: "tool", toolCallId: call.id, toolName: one, content: one, isError: number % 2 === 0 }, 1),
      ];
    case 3:
      return [message({ role: "assistant", parts: [answer], model, stopReason: "error", errorMessage: one })];
    default:
      return [
        { type: "model-change", seq: at.seq, at: 0, from: one, to: one, reason: one },
        message({ role: "assistant", parts: [answer], model: one, stopReason: "end" }, 1),
      ];
  }
}

let dialogs: string[] = [];

async function open(path: string): Promise<Page> {
  dialogs = [];
  const page = await openPage(`${server.url}${path}`, { before: setTrap });
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return page;
}

async function expectHarmless(page: Page): Promise<void> {
  expect([...(await inspectPage(page)), ...dialogs], `with seed ${SEED}`).toEqual([]);
}

/** Opens everything that is folded. */
function openFolds(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (const button of document.querySelectorAll<HTMLElement>('.turn [aria-expanded="false"]')) button.click();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

test("B8: the inspection of these tests finds markup, attributes, links and styles that should not be there", async () => {
  expectFaults(/Content Security Policy|violates|ERR_/);
  const page = await open("/why");
  await page.locator("textarea").waitFor();
  await expectHarmless(page);
  await page.evaluate(() => {
    const place = document.querySelector("main") as HTMLElement;
    place.insertAdjacentHTML("beforeend", '<a href="javascript:1">x</a><img alt=""><b onclick="x">x</b>');
    place.style.position = "fixed";
    Object.assign(window, { canary: 1 });
  });
  const found = (await inspectPage(page)).join("\n");
  for (const what of ["a script ran", "an element: <img", "the attribute onclick", "a link: ", "the style position"])
    expect(found).toContain(what);
});

test("B8: thousands of hostile texts as answers, and as reasoning, tool calls, errors, titles and model names, run nothing and leave their place", async () => {
  const page = await open("/c/c0");
  for (let at = 0; at < STORED; at++) {
    await page.evaluate((id) => document.querySelector<HTMLElement>(`a[href="/c/${id}"]`)?.click(), `c${at}`);
    await page.locator(`a.current[href="/c/c${at}"]`).waitFor();
    await expect.poll(() => page.locator(".turn").count()).toBe(PER_CONVERSATION);
    await openFolds(page);
    await expectHarmless(page);
  }
  expect(await page.locator(".markdown a[rel]").count()).toBeGreaterThan(20);
  await page.getByRole("button", { name: /^Model:/ }).click();
  await expectHarmless(page);
}, 120_000);

test("B8: hostile texts that arrive in pieces, in waits and in final errors run nothing", async () => {
  const page = await open("/c/c399");
  await page.locator(".composer").waitFor();
  await page.waitForTimeout(300);
  for (const [number, one] of TEXTS.slice(-LIVE).entries()) {
    const turn = { conversationId: "c399", turnId: `live${number}` };
    server.emit({ ...turn, type: "turn-start", model: one });
    server.emit({ ...turn, type: "user-message", content: one });
    if (number % 4 === 0) {
      const wait = { attempt: 0, delayMs: 60_000, retryAt: Date.now() + 60_000, generationId: one };
      server.emit({ ...turn, type: "provider-retry", message: one, code: one.slice(0, 50), ...wait });
      continue;
    }
    const characters = [...one];
    const size = 1 + (number % 7) * 5;
    for (let from = 0; from < characters.length; from += size)
      server.emit({ ...turn, type: "text-delta", text: characters.slice(from, from + size).join("") });
    server.emit({ ...turn, type: "error", message: one, code: one });
    if (number % 20 === 1) await expectHarmless(page);
  }
  await expect.poll(() => page.locator(".turn").count()).toBe(LIVE);
  expect(await page.locator(".wait-bubble").count()).toBe(LIVE / 4);
  await openFolds(page);
  await expectHarmless(page);
}, 120_000);

test("B8: hostile texts in the records of activity run nothing", async () => {
  const now = Date.now();
  server.records = TEXTS.slice(0, 600).map((one, at) =>
    recordOf({
      id: `g${at}`,
      door: one,
      client: one,
      policy: one,
      asked: one,
      answered: text(at + 1),
      startedAt: now - at * 1000 - 9000,
      endedAt: now - at * 1000,
      attempts: [
        attemptOf({
          target: { provider: one, model: one, credential: one },
          startedAt: now - at * 1000 - 9000,
          endedAt: now - at * 1000 - 8000,
          ok: false,
          kind: FAILURE_KINDS[at % FAILURE_KINDS.length] as FailureKind,
          evidence: one,
          moved: "switch",
        }),
        attemptOf({ attempt: 2, startedAt: now - at * 1000 - 8000, endedAt: now - at * 1000, ok: true }),
      ],
      attemptCount: 2,
    }),
  );
  const names = TEXTS.slice(0, 200);
  const failures = names.map((provider) => ({ kind: "server" as const, provider, count: 1 }));
  server.summary = {
    ...NO_SUMMARY,
    generations: 600,
    failed: 1,
    providers: names,
    clients: names,
    doors: names,
    failures,
  };
  server.health = {
    items: names.slice(0, 50).map((one) => ({ id: one, type: "cooldown", provider: one, model: one, credential: one })),
    fine: names,
    budgets: [],
  };
  const page = await open("/activity");
  await page.locator(".face").first().waitFor();
  const list = page.locator("li[data-id]:not([hidden])").first();
  await list.waitFor();
  await page.getByRole("button", { name: "By provider" }).click();
  for (let screen = 0; screen < 30; screen++) {
    await page.evaluate(async () => {
      for (const face of [...document.querySelectorAll<HTMLElement>("li:not([hidden]) .face")].slice(0, 3))
        face.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    await expectHarmless(page);
    await page.mouse.move(640, 600);
    await page.mouse.wheel(0, 700);
  }
}, 120_000);

test("B8: hostile names of policies and outages, and hostile errors to explain, run nothing", async () => {
  const names = [...new Set(TEXTS.slice(0, 300))].filter((name) => name !== "" && !/[\ud800-\udfff]/.test(name));
  const policies: PolicyView[] = names.map((name) => ({ name, from: name, isPreset: false, policy: defaultPolicy() }));
  const scenarios = names.map((name) => ({
    name,
    title: name,
    description: name,
    outageSeconds: 60,
    load: 1,
    shape: [1, 0, 1],
  }));
  const lab: LabChoices = { scenarios, policies: names.map((name) => ({ name, group: "own" })), figures: [] };
  const figures = { generations: 0, answered: 0, retried: 0, calls: 0, meanWaitMs: 0 };
  const estimate = { recorded: figures, estimated: figures };
  server.answers = { "/api/policies": { policies }, "/api/policies/estimate": estimate, "/api/lab": lab };
  const page = await open("/policies");
  await page
    .locator(".entry")
    .nth(names.length - 1)
    .waitFor();
  await expectHarmless(page);
  for (const at of [1, 50, 100, 150]) {
    await page
      .locator(".entry")
      .nth(at)
      .evaluate((entry) => (entry as HTMLElement).click());
    await expectHarmless(page);
  }
  await page.locator('nav a[href="/lab"]').click();
  await page.locator(".scenario").first().waitFor();
  await expectHarmless(page);
  await page.locator('nav a[href="/why"]').click();
  await page.locator("textarea").waitFor();
  for (let from = 0; from < 1000; from += 50) {
    await page.evaluate(
      async (texts) => {
        const box = document.querySelector("textarea") as HTMLTextAreaElement;
        for (const one of texts) {
          box.value = `HTTP/1.1 500 ${one.replace(/\s/g, " ")}\nx-test: ${one.replace(/\s/g, " ")}\n\n${one}`;
          box.dispatchEvent(new Event("input", { bubbles: true }));
          await Promise.resolve();
        }
      },
      TEXTS.slice(from, from + 50),
    );
    await expectHarmless(page);
  }
  expect(await page.locator("article.card").count()).toBe(1);
}, 120_000);
