import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, newFolder, startServer, type TestServer } from "./support/test-server.ts";

const SCRIPT = `console.log(${JSON.stringify("x".repeat(5000))});`;

async function startWithPage(): Promise<TestServer> {
  const home = newFolder();
  const pageFolder = join(home, "web");
  mkdirSync(join(pageFolder, "assets"), { recursive: true });
  writeFileSync(join(home, "secret.txt"), "SECRET");
  writeFileSync(join(pageFolder, "index.html"), "<!doctype html><title>Page</title>");
  writeFileSync(join(pageFolder, "assets/index-DiwrgTda.js"), SCRIPT);
  writeFileSync(join(pageFolder, "icon.svg"), "<svg/>");
  return startServer({ home, pageFolder });
}

describe("K7: the files of the page", () => {
  test.each(["/", "/c/abc-1", "/activity", "/policies/my%20own", "/lab", "/why?x=1"])(
    "K7: %s serves the page, which is checked for changes each time",
    async (path) => {
      const server = await startWithPage();
      const { status, headers, text } = await server.ask(path);
      expect([status, headers["content-type"], text]).toEqual([
        200,
        "text/html; charset=utf-8",
        "<!doctype html><title>Page</title>",
      ]);
      expect(headers["cache-control"]).toBe("no-cache");
      const again = await server.ask(path, { headers: { "if-none-match": headers.etag ?? "" } });
      expect([again.status, again.text]).toEqual([304, ""]);
    },
  );

  test("K7: every answer forbids inline scripts, other hosts, embedding and sniffing", async () => {
    const server = await startWithPage();
    for (const path of ["/", "/api/session", "/api/nothing", "/assets/nothing.js", "/health"]) {
      const { headers } = await server.ask(path);
      expect(headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(headers["permissions-policy"]).toContain("camera=()");
    }
  });

  test("K7: a file with a hash in its name is cached for ever, and comes compressed as the browser asks", async () => {
    const { port } = await startWithPage();
    const path = "/assets/index-DiwrgTda.js";
    const plain = await ask(port, path);
    expect(plain.text).toBe(SCRIPT);
    expect(plain.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
    const fetched = async (encoding: string) => {
      const response = await ask(port, path, { method: "HEAD", headers: { "accept-encoding": encoding } });
      return [response.headers["content-encoding"], response.text];
    };
    expect(await fetched("gzip, deflate, br")).toEqual(["br", ""]);
    expect(await fetched("gzip, br;q=0")).toEqual(["gzip", ""]);
    expect(await fetched("deflate")).toEqual([undefined, ""]);
    for (const encoding of ["br", "gzip"]) {
      // `fetch` unpacks it.
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "accept-encoding": encoding } });
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(await response.text()).toBe(SCRIPT);
    }
  });

  test.each(["/api/x", "/assets/x.js", "/assets/", "/favicon.png", "/x.map"])(
    "K7: %s is 404, never the page",
    async (path) => {
      const server = await startWithPage();
      const { status, json } = await server.ask(path);
      expect([status, json]).toEqual([404, { error: { message: "Not found" } }]);
    },
  );

  test("K7: no path leads out of the folder", async () => {
    const { port } = await startWithPage();
    const step = fc.constantFrom(
      "..",
      "%2e%2e",
      ".%2e",
      "..%2f",
      "..%5c",
      "\\..",
      "...",
      "",
      ".",
      "web",
      "assets",
      "%00",
      "%",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.constantFrom("/", "%2f", "\\"), async (steps, slash) => {
        const { text } = await ask(port, `/${steps.join(slash)}${slash}secret.txt`);
        expect(text).not.toContain("SECRET");
      }),
      { numRuns: 200 },
    );
  });

  test("K7: without a built page a note says how to build it, and the API works", async () => {
    const server = await startServer();
    expect((await server.ask("/")).text).toContain("npm run build");
    expect((await server.ask("/api/session")).json).toMatchObject({ isSimulated: true, needsKey: false });
  });
});
