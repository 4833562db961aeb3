import { expect, test } from "vitest";
import { say, startTurn, waitTitle } from "../support/chat.ts";
import { expectFaults, openPage, usePages } from "../support/open-page.ts";
import { startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();

test("K5: a server that is killed in the middle of a wait leaves a turn that can be continued after its restart", async () => {
  expectFaults(/WebSocket connection|ERR_CONNECTION_REFUSED|Failed to load resource/);
  const first = await startServer();
  const id = await startTurn(first, { message: "wait", model: "sim/overloaded-twice" });
  const page = await openPage(`${first.url}/c/${id}`);
  await waitTitle(page).waitFor();
  await first.stop("SIGKILL");
  await page.getByText("Reconnecting…").waitFor();

  const second = await startServer({ home: first.home, port: first.port });
  expect(second.url).toBe(first.url);
  await page.getByText("The server stopped in the middle of this turn.").waitFor();
  expect(await page.locator(".wait-bubble").count()).toBe(0);
  expect(await page.getByText("Reconnecting…").count()).toBe(0);
  // The new server has another token: the page has fetched it.
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.getByText(/Complete · \d attempts?/).waitFor({ timeout: 40_000 });
  expect(await page.getByText("The server stopped in the middle of this turn.").count()).toBe(0);
}, 90_000);

test("B4: a server with an access key asks for it, refuses a wrong one, and the page works after the right one", async () => {
  expectFaults(/401/);
  const server = await startServer({ env: { SECONDWIND_KEY: "a-key-of-sixteen-or-more" } });
  const page = await openPage(server.url);
  await page.getByRole("heading", { name: "This server needs an access key" }).waitFor();
  await page.getByText(/also from this computer.+secondwind access add NAME/).waitFor();
  await page.getByLabel("Access key").fill("wrong-wrong-wrong-wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The server does not accept this key.").waitFor();
  await page.getByLabel("Access key").fill("a-key-of-sixteen-or-more");
  await page.getByRole("button", { name: "Sign in" }).click();
  await say(page, "Hello");
  await page.getByText("Complete · 1 attempt").waitFor();
  await page.reload();
  await page.getByText("Complete · 1 attempt").waitFor();
}, 60_000);
