import { afterEach, expect, test } from "vitest";
import { storedSettings } from "../../src/assembly/stored-settings.ts";
import { layoutStatus } from "../../src/hosts/chat/layout/layout-status.ts";
import { ChatScreen, DOWN } from "../hosts/chat/chat-screen.ts";
import { freshState } from "../hosts/chat/states.ts";
import { says } from "../support/scripted-provider.ts";

let screen: ChatScreen;
afterEach(() => screen?.close());

async function open(script: Parameters<typeof ChatScreen.start>[0]): Promise<void> {
  screen = new ChatScreen(80, 40);
  screen.world.provider("acme", script ?? []);
  screen.isStored = true;
  await screen.open();
}

test("S1: /config retry.maxRetries applies to the next message of the same conversation", async () => {
  await open([DOWN]);
  await screen.say("/config retry.maxRetries 1");
  await screen.shows("retry.maxRetries = 1");
  await screen.say("Hello");
  await screen.shows("Retrying (1/1) in 2s…");
  await screen.pass(3000);
  await screen.shows("Retry failed after 1 attempts");
  await screen.say("/config retry.maxRetries -");
  await screen.shows("(default)");
  await screen.say("Hello again");
  await screen.shows("Retrying (1/3) in 2s…");
});

test("S8: /config retry.enabled false counts at the next failure, and shows in the status line", async () => {
  await open([DOWN]);
  await screen.say("Hello");
  await screen.shows("Retrying (1/3)");
  await screen.say("/config retry.enabled false");
  await screen.shows("· retries off ·");
  await screen.pass(2000);
  await screen.hides("Retrying");
  expect(screen.world.providers.get("acme")?.requests).toHaveLength(2);
});

test("S8: /retry off shows in the status line until /retry on", async () => {
  await open([says("ok")]);
  await screen.say("/retry off");
  await screen.shows("· retries off ·");
  await screen.say("/retry on");
  await screen.hides("retries off");
  expect(await storedSettings(screen.store.config).read()).toMatchObject({ enabled: true });
});

test("S10: a narrow status line still shows that retries are off", () => {
  const text = layoutStatus({ ...freshState(), isAutoRetry: false }, 30).map((span) => span.text);
  expect(text.join("")).toBe("acme/large · ↻off · ↑0 ↓0");
});
