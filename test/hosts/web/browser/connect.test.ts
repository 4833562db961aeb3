import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../../../src/simulator/http/index.ts";
import { findProblems } from "../support/find-problems.ts";
import { LOOKS } from "../support/looks.ts";
import { openPage, usePages } from "../support/open-page.ts";
import { type StartedServer, startServer, useServers } from "../support/start-server.ts";

usePages();
useServers();

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ tokenMs: 0, firstTokenMs: 0 });
});
afterAll(() => sim.close());

/** A server whose OpenAI is the simulator. */
async function startGateway(env: Readonly<Record<string, string>> = {}): Promise<StartedServer> {
  const home = await mkdtemp(join(tmpdir(), "secondwind-web-"));
  const folder = join(home, ".config", "secondwind");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const openai = { baseURL: sim.urls.openai, format: "openai" };
  await writeFile(join(folder, "gateway.json"), JSON.stringify({ endpoints: { openai } }));
  return startServer({ home, env });
}

/** As an application does. */
function call({ url }: StartedServer, model: string, key = "key-1"): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
  });
}

const gateway = (server: StartedServer): string => `${server.url}/connect`;

describe("connect an application", () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startGateway();
  });

  test("K6: the page waits for the first call and says when it arrives", async () => {
    const fresh = await startGateway();
    const page = await openPage(gateway(fresh));
    const status = page.getByRole("status");
    await status.getByText("Waiting for the first call").waitFor();
    expect(await page.title()).toBe("Connect an application · Secondwind");
    expect(await findProblems(page)).toEqual([]);
    await call(fresh, "ok-first");
    await status.getByText("First call arrived: openai/ok-first").waitFor();
    await page.getByText("answered at first", { exact: true }).waitFor();
    await call(fresh, "ok-second");
    await status.getByText("Last call: openai/ok-second").waitFor();
    await page.getByRole("link", { name: "Show in Activity" }).click();
    await page.waitForURL(/\/activity\?door=gateway$/);
    await page.locator("li[data-id]").filter({ hasText: "openai/ok-second" }).getByText("gateway").waitFor();
    expect(await page.title()).toBe("Activity · Secondwind");
    // Without its server the page would report faults.
    await page.context().close();
    await fresh.stop("SIGKILL");
  });

  test("K6: calls from before the page was opened are known, and a failure is named", async () => {
    await call(server, "unauthorized");
    const page = await openPage(gateway(server));
    await page.getByText("Last call: openai/unauthorized").waitFor();
    await page.getByText("key refused").waitFor();
  });

  test("K6: applications are chosen by keyboard, copied with a button, and remembered", async () => {
    const page = await openPage(gateway(server), {
      context: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    await page.getByRole("radio", { name: "OpenAI SDK" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("pre").getByText("from anthropic import Anthropic").waitFor();
    await page.getByRole("radio", { name: "TypeScript" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("radio", { name: "Claude Code" }).check({ force: true });
    const line = `ANTHROPIC_BASE_URL=${server.url} claude`;
    expect(await page.locator("pre").textContent()).toBe(line);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
    await page.getByRole("button", { name: "Copy OpenAI clients" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/v1`);
    await page.reload();
    await page.locator("pre").getByText(line).waitFor();
  });

  test("K6: Activity leads to the page, filters by door and names the client's key", async () => {
    const key = "an access key of 16 characters".replaceAll(" ", "-");
    const guarded = await startGateway({ SECONDWIND_KEY: key });
    await call(guarded, "ok-guarded", key);
    const page = await openPage(`${guarded.url}/activity`);
    await page.getByLabel("Access key").fill(key);
    await page.keyboard.press("Enter");
    const row = page.locator("li[data-id]:not([hidden])").filter({ hasText: "openai/ok-guarded" });
    await row.getByText("gateway · key").waitFor();
    await page.getByLabel("Door").selectOption({ label: "gateway" });
    await page.waitForURL(/door=gateway/);
    await row.locator(".face").click();
    await row.getByText("Client key").waitFor();
    await page.getByRole("link", { name: "Connect" }).click();
    await page.getByText("from key").waitFor();
    // Without its server the page would report faults.
    await page.context().close();
    await guarded.stop("SIGKILL");
  });

  test.each(LOOKS)(
    "K6: axe-core finds no serious problem at %i px (dark: %s, %s), whatever the application, and nothing scrolls sideways",
    async (width, isDark, language) => {
      const page = await openPage(gateway(server), { width, isDark, language });
      const next = async (name: string): Promise<void> => {
        if (width < 640) await page.locator("select.field").selectOption(name);
        else await page.locator(`input[value="${name}"]`).check({ force: true });
      };
      for (const name of ["codex", "curl", "sillytavern", "opencode"]) {
        await next(name);
        expect(await findProblems(page)).toEqual([]);
        const sideways = await page.evaluate(() => {
          const main = document.querySelector("main");
          return [
            document.documentElement.scrollWidth - innerWidth,
            (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0),
          ];
        });
        expect(sideways).toEqual([0, 0]);
      }
    },
  );

  test("K6: the page speaks Chinese", async () => {
    const page = await openPage(gateway(server), { language: "zh-CN" });
    await page.getByRole("heading", { name: "连接应用程序" }).waitFor();
    expect((await page.locator("main").allInnerTexts()).join()).not.toMatch(/\b(Copy|Waiting|Keys|Base)\b/);
  });
});
