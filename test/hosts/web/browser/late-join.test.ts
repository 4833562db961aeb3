import { expect, test } from "vitest";
import { startTurn } from "../support/chat.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();

test("K6: a turn that ends while its conversation is being opened is not shown as running", async () => {
  const server = await startServer();
  const id = await startTurn(server, { message: "hello", model: "sim/ok" });
  const path = `/api/conversations/${id}`;
  const view = async () => (await (await fetch(`${server.url}${path}`)).json()) as { readonly state: string };
  while ((await view()).state !== "idle") await new Promise((resolve) => setTimeout(resolve, 100));
  const page = await openPage(`${server.url}/why`);
  // What the page reads while it loads is a moment older than its subscription: the turn still ran.
  let reads = 0;
  let loadedAt = Number.POSITIVE_INFINITY;
  await page.route(`**${path}`, async (route) => {
    reads += 1;
    loadedAt = Math.min(loadedAt, Date.now() + 500);
    const response = await route.fetch();
    const found = await response.json();
    await route.fulfill({
      response,
      json: Date.now() < loadedAt ? { ...found, state: "running", turnId: "over" } : view,
    });
  });
  await page.goto(`${server.url}/c/${id}`);
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  expect(reads).toBeGreaterThan(1);
  // It is not read again and again.
  const settled = reads;
  await page.waitForTimeout(2500);
  expect(reads).toBe(settled);
}, 60_000);
