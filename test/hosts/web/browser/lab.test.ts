import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { callApi } from "../support/chat.ts";
import { findProblems } from "../support/find-problems.ts";
import { LOOKS } from "../support/looks.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();
let server: StartedServer;
beforeAll(async () => {
  server = await startServer();
});

const LONG = { timeout: 60_000 };

async function choose(page: Page, { clients = "100", runs = "2" } = {}): Promise<void> {
  await page.getByText("black-hole").waitFor();
  await page.getByLabel("Clients", { exact: true }).fill(clients);
  await page.getByLabel("Runs", { exact: true }).fill(runs);
}

describe("the lab page", () => {
  test("B7: runs an outage on two policies and shows figures, a summary and charts; the report can be saved", async () => {
    const page = await openPage(`${server.url}/lab`);
    await choose(page);
    await page.getByRole("radio", { name: /fast-503/ }).check({ force: true });
    await page.getByLabel("Policy B").selectOption("none");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("policy, 2 runs").waitFor(LONG);
    await page.getByRole("heading", { level: 1, name: "Fast 503" }).waitFor();
    expect(await page.locator("figure svg").count()).toBe(8);
    expect(await page.locator(".better").count()).toBeGreaterThan(0);
    await page.getByText(/^none makes \d+ % fewer calls/).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save report" }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe("fast-503.html");
    const folder = await mkdtemp(join(tmpdir(), "secondwind-lab-"));
    await download.saveAs(join(folder, "report.html"));
    expect(await readFile(join(folder, "report.html"), "utf8")).toContain("Secondwind outage lab");
    await rm(folder, { recursive: true });
  }, 90_000);

  test("B7: shows results while runs come in, goes on while another page is open, and can be cancelled", async () => {
    const page = await openPage(`${server.url}/lab`);
    await choose(page, { clients: "1,000", runs: "20" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page
      .getByText(/^Run \d+ of 20$/)
      .first()
      .waitFor();
    await page.getByText(/of 20 runs so far/).waitFor(LONG);
    await page.getByRole("link", { name: "Why" }).click();
    await page.getByRole("link", { name: "Lab" }).click();
    await page
      .getByText(/^Run \d+ of 20$/)
      .first()
      .waitFor();
    await page.getByText(/about \d+ s left/).waitFor(LONG);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    expect(await page.locator("figure svg").count()).toBe(8);
    expect(await page.getByRole("button", { name: "Save report" }).isEnabled()).toBe(false);
  }, 120_000);

  test("B7: refuses what the server would refuse, and offers own policies", async () => {
    await callApi(server, "PUT", "/api/policies/mine", { from: "default", policy: {} });
    const page = await openPage(`${server.url}/lab`);
    await choose(page, { clients: "10001" });
    const run = page.getByRole("button", { name: "Run", exact: true });
    expect(await run.isEnabled()).toBe(false);
    expect(await page.getByLabel("Clients", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Clients", { exact: true }).fill("20");
    await page.getByLabel("Policy A").selectOption("mine");
    expect(await run.isEnabled()).toBe(true);
    await page.getByLabel("Policy B").selectOption("mine");
    await page.getByText("Choose two different policies.").waitFor();
    expect(await run.isEnabled()).toBe(false);
  });

  test.each(LOOKS)(
    "B7: is accessible and fits at %i px (dark: %s, %s)",
    async (width, isDark, language) => {
      const page = await openPage(`${server.url}/lab`, { width, isDark, language });
      if (width < 900) await page.locator(".narrow .button").first().click();
      await page.locator(".settings input[inputmode]").first().fill("50");
      await page.locator(".settings input[inputmode]").last().fill("1");
      expect(await findProblems(page)).toEqual([]);
      await page.locator(".settings button[type=submit]").click();
      await page.locator("figure").last().waitFor(LONG);
      await page.locator("progress").waitFor({ ...LONG, state: "detached" });
      expect(await findProblems(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      expect(await page.locator(".content").evaluate((content) => content.scrollWidth - content.clientWidth)).toBe(0);
    },
    90_000,
  );
});
