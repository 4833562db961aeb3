import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledChild } from "../../../support/bundled-child.ts";
import { chatAnswer, sendJson, serve } from "../server.ts";

const child = bundledChild(fileURLToPath(new URL("asks-and-leaves.ts", import.meta.url)));

test("E13: a process ends though its connections are kept open, and only its first request went by fetch", async () => {
  const server = await serve((_, response) => sendJson(response, 200, chatAnswer("Hi")));
  try {
    const asking = spawn(process.execPath, [child, server.url], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    asking.stdout.on("data", (text) => {
      printed += text;
    });
    const [code] = await once(asking, "exit", { signal: AbortSignal.timeout(4000) });
    expect(code).toBe(0);
    expect(printed).toBe("1\n");
    expect(server.received).toHaveLength(3);
  } finally {
    await server.close();
  }
});
