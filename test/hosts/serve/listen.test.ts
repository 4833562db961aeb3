import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { canOpenBrowser } from "../../../src/hosts/serve/command/open-browser.ts";
import { parseOptions } from "../../../src/hosts/serve/command/parse-options.ts";
import { LIMITS } from "../../../src/hosts/serve/listener/limits.ts";
import { listen, makeListener } from "../../../src/hosts/serve/listener/start-listener.ts";

async function takePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("K5: the port", () => {
  test("K5: without --port, a taken port is followed by the next free one", async () => {
    const taken = await takePort();
    const server = makeListener(LIMITS);
    onTestFinished(() => void server.close());
    const port = await listen(server, { host: "127.0.0.1", port: taken, orNext: true });
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThanOrEqual(taken + 20);
  });

  test("K5: with --port, a taken port is an error that names it", async () => {
    const taken = await takePort();
    const listening = listen(makeListener(LIMITS), { host: "127.0.0.1", port: taken, orNext: false });
    await expect(listening).rejects.toThrow(`Port ${taken} is in use`);
  });

  test("K5: the usual port is 4747 on loopback", () => {
    expect(parseOptions({}, {})).toMatchObject({ host: "127.0.0.1", port: 4747, orNext: true, drainMs: 30_000 });
    expect(parseOptions({ port: "4747" }, {})).toMatchObject({ orNext: false });
  });
});

test.each([
  ["linux", { DISPLAY: ":0" }, true, true],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, true, true],
  ["linux", {}, true, false],
  ["linux", { DISPLAY: ":0", CI: "true" }, true, false],
  ["linux", { DISPLAY: ":0" }, false, false],
  ["linux", { SSH_CONNECTION: "a", DISPLAY: ":10" }, true, true],
  ["linux", { SSH_CONNECTION: "a" }, true, false],
  ["darwin", {}, true, true],
  ["darwin", { SSH_CONNECTION: "a" }, true, false],
  ["win32", {}, true, true],
])("K5: on %s with %j and a terminal %s, opening the browser is %s", (platform, env, isTTY, expected) => {
  const clean: Readonly<Record<string, string | undefined>> = env;
  expect(canOpenBrowser({ platform, env: clean, stdout: { isTTY } })).toBe(expected);
});
