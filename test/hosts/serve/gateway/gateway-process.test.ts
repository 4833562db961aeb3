import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chatAnswer, sendJson, serve } from "../../../adapters/fetch/server.ts";
import { startCli } from "../../../support/run-cli.ts";
import { until } from "../../../support/until.ts";
import { ask } from "../support/test-server.ts";
import { fileFor } from "./gateway-server.ts";

const KEY = "sk-canary-of-a-process-0123456789";

test("K5: SIGTERM lets an answer of the gateway finish; the log has one line for it, without prompt and key", async () => {
  const upstream = await serve((_, response) => setTimeout(() => sendJson(response, 200, chatAnswer("hi")), 700));
  const home = mkdtempSync(join(tmpdir(), "secondwind-gateway-"));
  const folder = join(home, ".config", "secondwind");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "gateway.json"), fileFor(upstream.url));
  const { child, said, end } = startCli(["serve", "--port", "0", "--drain", "10"], { HOME: home });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await upstream.close();
    rmSync(home, { recursive: true, force: true });
  });
  const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(await said("Press Ctrl-C to stop."))?.[1]);
  const asked = ask(port, "/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: "gpt-x", messages: [{ role: "user", content: "My secret plan" }] },
  });
  await until(() => upstream.received.length === 1);
  child.kill("SIGTERM");
  expect((await asked).json).toEqual(chatAnswer("hi"));
  const { code, out, err } = await end;
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n").filter((line) => line.includes("gateway openai/gpt-x: answered"))).toHaveLength(1);
  expect(out).not.toContain("secret plan");
  expect(out).not.toContain(KEY);
});
