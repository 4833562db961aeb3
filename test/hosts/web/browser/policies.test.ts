import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PolicyView } from "../../../../src/wire/http/server.ts";
import { callApi, startTurn } from "../support/chat.ts";
import { findProblems } from "../support/find-problems.ts";
import { LOOKS } from "../support/looks.ts";
import { expectFaults, openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();
let server: StartedServer;
let files: string;
beforeAll(async () => {
  server = await startServer();
  files = await mkdtemp(join(tmpdir(), "secondwind-policies-"));
});
afterAll(() => rm(files, { recursive: true, force: true }));

const own = async (): Promise<readonly PolicyView[]> =>
  (await callApi<{ policies: readonly PolicyView[] }>(server, "GET", "/api/policies")).policies.filter(
    ({ isPreset }) => !isPreset,
  );
const find = async (name: string) => (await own()).find((view) => view.name === name)?.policy;
const field = (page: Page, path: string) => page.locator(`[name="${path}"]`);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens the page at a policy of its own, made from a preset. */
async function openOwn(name: string, from = "default", options = {}): Promise<Page> {
  await callApi(server, "PUT", `/api/policies/${encodeURIComponent(name)}`, { from, policy: {} });
  const page = await openPage(`${server.url}/policies/${encodeURIComponent(name)}`, options);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  return page;
}

async function openSection(page: Page, section: string): Promise<void> {
  await page.locator(`[data-section="${section}"] > summary`).click();
}

describe("the policies page", { timeout: 60_000 }, () => {
  test("K5: opens at the policy in use; a preset can't be changed, but copied", async () => {
    const page = await openPage(`${server.url}/policies`);
    await page.getByRole("heading", { level: 1, name: "patient" }).waitFor();
    expect(await field(page, "schedules.general.stepsMs").isEditable()).toBe(false);
    expect(await field(page, "schedules.general.stepsMs").inputValue()).toBe("5, 10, 30, 60, 300, 600, 900, 1800");
    await page.getByText("up to retry 21, 7 h 32 min at the latest").waitFor();
    await button(page, "Make a copy").click();
    const dialog = page.getByRole("dialog", { name: "New policy" });
    await dialog.getByLabel("Name").fill("my/patient");
    expect(await dialog.getByRole("button", { name: "Create" }).isEnabled()).toBe(false);
    await dialog.getByLabel("Name").fill("my patient");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "my patient" }).waitFor();
    expect(page.url()).toBe(`${server.url}/policies/my%20patient`);
    expect(await field(page, "schedules.general.stepsMs").isEditable()).toBe(true);
    expect(await find("my patient")).toMatchObject({ name: "my patient", statuses: { 402: { action: "elsewhere" } } });
  });

  test("K5: checks as you type, says what is allowed, keeps the picture valid, and saves", async () => {
    const page = await openOwn("typed");
    await field(page, "schedules.general.capMs").fill("30");
    await field(page, "schedules.general.atMost").fill("8");
    await page.getByText("2 changes").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: /Retry 8: after 1 min .*, 2 min 1 s at the latest/ })
      .waitFor();
    await field(page, "maxDelayMs").fill("9999999");
    await page.getByText("At most 2,147,483 s (24 days). Leave it empty for no limit.").waitFor();
    expect(await field(page, "maxDelayMs").getAttribute("aria-invalid")).toBe("true");
    expect(await button(page, "Save").isEnabled()).toBe(false);
    // The other fields are still followed while one is wrong.
    await field(page, "schedules.general.atMost").fill("7");
    await page.getByRole("listitem").filter({ hasText: "Retry 7:" }).waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "Retry 8:" }).count()).toBe(0);
    await page.getByRole("button", { name: /^was 120 s ?, reset Fail at once/ }).click();
    expect(await field(page, "maxDelayMs").inputValue()).toBe("120");
    await field(page, "patienceMs").fill("10 min");
    await button(page, "Save").click();
    await page.getByText("2 changes").waitFor({ state: "detached" });
    expect(await find("typed")).toMatchObject({
      schedules: { general: { capMs: 30_000, atMost: 7 } },
      maxDelayMs: 120_000,
      patienceMs: 600_000,
    });
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "typed" }).waitFor();
    expect(await field(page, "patienceMs").inputValue()).toBe("600");
  });

  test("K5: what happens follows the input", async () => {
    const page = await openOwn("followed");
    const row = page.locator(".happens div").filter({ hasText: "Overloaded" });
    await row.getByText("The same HTTP 500 twice: stops.").waitFor();
    await openSection(page, "hopeless");
    await field(page, "sameServerError").fill("4");
    await row.getByText("The same HTTP 500 4 times: stops.").waitFor();
    await openSection(page, "models");
    await field(page, "fallback.when").selectOption("immediate");
    await row.getByText("Another model at once.").waitFor();
    await openSection(page, "rules");
    await page.locator('[data-rule="rules.bad_request"] summary').click();
    await field(page, "rules.bad_request.action").selectOption("retry");
    await page.locator(".happens div").filter({ hasText: "Bad request" }).first().waitFor();
    await page.getByPlaceholder("HTTP status").fill("418");
    await page.locator('[data-section="rules"] form button').click();
    await page.locator(".happens div").filter({ hasText: "HTTP 418" }).getByText("Stops at once.").waitFor();
    await button(page, "Save").click();
    await expect.poll(async () => (await find("followed"))?.statuses).toEqual({ 418: { action: "stop" } });
    // What was removed stays away.
    await page.locator('[data-rule="statuses.418"] summary').click();
    await page.getByRole("button", { name: "Remove the rule for HTTP 418" }).click();
    await button(page, "Save").click();
    await expect.poll(async () => (await find("followed"))?.statuses).toEqual({});
  });

  test("K5: every part can be switched off and on, and named schedules added and used", async () => {
    const page = await openOwn("parts");
    await openSection(page, "protection");
    await page.getByLabel("Breaker").click();
    expect(await field(page, "breaker.failures").count()).toBe(0);
    await openSection(page, "content");
    await page.locator('[data-section="content"] label').filter({ hasText: "Regular expression" }).click();
    await field(page, "require.pattern").fill("(?=x)");
    await page.locator('[data-section="content"]').getByText("look-ahead").waitFor();
    await field(page, "require.pattern").fill("^ok$");
    await openSection(page, "scope");
    await page.getByLabel("Only some generations").click();
    await field(page, "filter.ids").fill("a\nb");
    await openSection(page, "classify");
    await button(page, "Add rule").click();
    await field(page, "classify[0].when.text").fill("");
    await page.getByText("Give at least one of status, code, text and provider.").waitFor();
    await field(page, "classify[0].when.status").fill("418");
    await button(page, "Add schedule").click();
    await page.keyboard.press("Enter");
    await field(page, "schedules.slow.type").selectOption("fixed");
    await field(page, "schedules.slow.delayMs").fill("30");
    await button(page, "Save").click();
    await expect
      .poll(() => find("parts"))
      .toMatchObject({
        breaker: null,
        budget: { capacity: 100 },
        require: { pattern: "^ok$" },
        filter: { mode: "blacklist", ids: ["a", "b"] },
        classify: [{ when: { status: 418 } }],
        schedules: { slow: { type: "fixed", delayMs: 30_000 } },
      });
  });

  test("K5: unsaved edits survive a look at another page and warn before a reload loses them", async () => {
    const page = await openOwn("unsaved");
    await field(page, "maxDelayMs").fill("soon");
    await page.getByRole("link", { name: "Why" }).click();
    await page.getByRole("heading", { level: 1, name: "What does this error mean?" }).waitFor();
    await page.goBack();
    await page.getByText("1 problem").first().waitFor();
    expect(await field(page, "maxDelayMs").inputValue()).toBe("soon");
    await page.getByRole("link", { name: /unsaved edited/ }).waitFor();
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    expect(await field(page, "maxDelayMs").inputValue()).toBe("soon");
    await button(page, "Discard").click();
    expect(await field(page, "maxDelayMs").inputValue()).toBe("120");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "unsaved" }).waitFor();
  });

  test("K5: exports and imports; a taken name gets a number, and problems are named", async () => {
    const page = await openOwn("shared");
    const saving = page.waitForEvent("download");
    await button(page, "Export").click();
    const saved = join(files, "shared.json");
    await (await saving).saveAs(saved);
    const { policies } = JSON.parse(await readFile(saved, "utf8")) as { policies: readonly { policy: object }[] };
    const broken = { name: "broken", policy: { maxDelayMs: -1 } };
    await writeFile(saved, JSON.stringify({ policies: [...policies, broken] }));
    await page.locator('input[type="file"]').setInputFiles(saved);
    const dialog = page.getByRole("dialog", { name: "Import policies" });
    await dialog.getByText("as shared 2, because the name is taken").waitFor();
    await dialog.getByText("policy.maxDelayMs must be a number from 0 to 2147483647; got -1").waitFor();
    await dialog.getByRole("button", { name: "Import" }).click();
    await page.getByRole("heading", { level: 1, name: "shared 2" }).waitFor();
    const all = await own();
    const [first, second] = ["shared", "shared 2"].map((name) => all.find((view) => view.name === name)?.policy);
    expect(second).toEqual({ ...first, name: "shared 2" });
    expect(all.some(({ name }) => name === "broken")).toBe(false);
    await writeFile(saved, "{");
    await page.locator('input[type="file"]').setInputFiles(saved);
    await dialog.getByText("The file is not valid JSON.").waitFor();
    expect(await dialog.getByRole("button", { name: "Import" }).isEnabled()).toBe(false);
  });

  test("K5: renames a policy in use with its edits, refuses to delete it, and deletes it when another one is in use", async () => {
    const page = await openOwn("first name");
    await button(page, "Use for new turns").click();
    await page.locator(".head").getByText("in use").waitFor();
    await field(page, "maxDelayMs").fill("60");
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("second name");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "second name" }).waitFor();
    expect(await field(page, "maxDelayMs").inputValue()).toBe("60");
    await page.locator(".head").getByText("in use").waitFor();
    expect((await own()).some(({ name }) => name === "first name")).toBe(false);
    expectFaults(/409/);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete second name?" });
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("is the policy of new turns").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await callApi(server, "PUT", "/api/settings", { "serve.policy": null });
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "second name" }).waitFor({ state: "detached" });
    expect((await own()).some(({ name }) => name === "second name")).toBe(false);
  });

  test("K5: estimates what the policy would have done with what was recorded", async () => {
    const fresh = await startServer();
    const page = await openPage(`${fresh.url}/policies/default`);
    await page.getByText("Nothing is recorded yet.").waitFor();
    await startTurn(fresh, { message: "Hello", model: "sim/ok" });
    await expect
      .poll(
        async () => {
          const { first } = await callApi<{ first: number }>(fresh, "GET", "/api/activity/summary");
          return first;
        },
        { timeout: 20_000 },
      )
      .toBe(1);
    await page.reload();
    await page
      .getByRole("row", { name: /as recorded/ })
      .getByRole("cell", { name: "100.0 %", exact: true })
      .waitFor();
    await page.getByRole("row", { name: /^default/ }).waitFor();
  });

  test.each(LOOKS)("K5: is accessible and fits at %i px (dark: %s, %s)", async (width, isDark, language) => {
    const page = await openOwn("every part", "tavern", { width, isDark, language });
    for (const section of ["models", "silence", "hopeless", "protection", "content", "rules", "classify", "scope"]) {
      await openSection(page, section);
    }
    await page.locator('[data-rule="rules.rate_limit"] summary').click();
    await field(page, "maxDelayMs").fill("x");
    expect(await findProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await page.locator(".content").evaluate((content) => content.scrollWidth - content.clientWidth)).toBe(0);
  });
});
