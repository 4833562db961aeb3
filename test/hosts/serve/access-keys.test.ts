import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  accessFilePath,
  addAccessKey,
  findAccessKey,
  readAccessFile,
  removeAccessKey,
} from "../../../src/credentials/index.ts";
import { newFolder, startServer } from "./support/test-server.ts";

describe("K6: the file of access keys", () => {
  test("K6: a key is stored as a hash only, in a file of its owner", async () => {
    const path = accessFilePath({ HOME: newFolder() });
    const key = await addAccessKey(path, "laptop");
    expect(key).toMatch(/^sw-[\w-]{43}$/);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain(key.slice(3));
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    const keys = readAccessFile(path);
    expect(findAccessKey(keys, key)?.name).toBe("laptop");
    expect(findAccessKey(keys, `${key}x`)).toBeUndefined();
    expect(findAccessKey(keys, "")).toBeUndefined();
  });

  test("K6: two keys of the same name, an unknown name and an unusable name are refused", async () => {
    const path = accessFilePath({ HOME: newFolder() });
    await addAccessKey(path, "laptop");
    await expect(addAccessKey(path, "laptop")).rejects.toThrow("secondwind access remove laptop");
    await expect(removeAccessKey(path, "phone")).rejects.toThrow("one of laptop");
    // It may be a key that was typed in the wrong place.
    await expect(addAccessKey(path, "sk secret-0123456789")).rejects.toThrow(
      'name must be 1 to 40 letters, digits, . - or _; got "20 characters"',
    );
    await removeAccessKey(path, "laptop");
    expect(readAccessFile(path)).toEqual([]);
  });

  test.each([
    ["not JSON", "{"],
    ["another version", '{"version":2,"keys":[]}'],
    ["a hash of another length", '{"version":1,"keys":[{"name":"a","salt":"b","hash":"c","createdAt":1}]}'],
  ])("K6: a file with %s is an error at the start, never a server without keys", async (_, text) => {
    const home = newFolder();
    const path = accessFilePath({ HOME: home });
    await addAccessKey(path, "laptop");
    writeFileSync(path, text, { mode: 0o600 });
    await expect(startServer({ home })).rejects.toThrow(path);
  });
});

describe("K6: a server with access keys", () => {
  test("K6: another address than loopback needs a key, and the error names the command", async () => {
    await expect(startServer({ host: "0.0.0.0" })).rejects.toThrow(/secondwind access add NAME/);
    const key = "a-key-of-enough-length";
    const server = await startServer({ host: "0.0.0.0", key });
    expect((await server.ask("/api/conversations")).status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await server.ask("/api/conversations", { headers })).status).toBe(200);
  });

  test("K6: every path but the page, its session and the liveness check needs a key", async () => {
    const server = await startServer({ key: "a-key-of-enough-length" });
    const { json } = await server.ask("/api/session");
    expect(json).toMatchObject({ needsKey: true, models: [], model: "", policy: "" });
    expect((await server.ask("/")).status).toBe(200);
    expect((await server.ask("/health")).status).toBe(200);
    const { paths } = (
      await server.ask("/api/openapi.json", { headers: { authorization: "Bearer a-key-of-enough-length" } })
    ).json as { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
    for (const [path, methods] of Object.entries(paths)) {
      if (path === "/health" || path === "/api/session") continue;
      for (const method of Object.keys(methods)) {
        const { status, headers } = await server.ask(path.replace(/\{\w+\}/g, "x"), {
          method: method.toUpperCase(),
          headers: { "x-secondwind-token": server.token },
        });
        expect([path, status, headers["www-authenticate"]]).toEqual([path, 401, "Bearer"]);
      }
    }
  });

  test("K6: a page logs in with a key and gets a cookie that no script and no other site can use", async () => {
    const home = newFolder();
    const key = await addAccessKey(accessFilePath({ HOME: home }), "laptop");
    const server = await startServer({ home });
    const own = { origin: `http://${server.host}`, "x-secondwind-token": server.token };
    const logIn = (body: unknown) => server.ask("/api/session", { method: "POST", headers: own, body });
    expect((await logIn({ key: "wrong" })).json).toEqual({
      error: { message: "The access key is not valid", field: "key" },
    });
    const { status, headers } = await logIn({ key });
    expect(status).toBe(204);
    const [cookie = ""] = headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^secondwind-${server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`),
    );
    expect(cookie).not.toContain(key);
    const session = { cookie: `other=1; ${cookie.split(";", 1)[0]}` };
    expect((await server.ask("/api/session", { headers: session })).json).toMatchObject({ needsKey: false });
    expect((await server.ask("/api/conversations", { headers: session })).status).toBe(200);
    const change = { method: "PUT", body: { api_retry_max_delay: 9 } };
    expect((await server.ask("/api/settings", { ...change, headers: session })).status).toBe(403);
    expect((await server.ask("/api/settings", { ...change, headers: { ...session, ...own } })).status).toBe(200);
    expect((await server.ask("/api/session", { method: "DELETE", headers: { ...session, ...own } })).status).toBe(204);
    expect((await server.ask("/api/conversations", { headers: session })).status).toBe(401);
  });

  test("K6: a removed key and its sessions end within a second, and removing the last one does not open the server", async () => {
    const home = newFolder();
    const path = accessFilePath({ HOME: home });
    const key = await addAccessKey(path, "laptop");
    const server = await startServer({ home });
    const byKey = { authorization: `Bearer ${key}` };
    const logged = await server.ask("/api/session", {
      method: "POST",
      headers: { "x-secondwind-token": server.token },
      body: { key },
    });
    const session = { cookie: (logged.headers["set-cookie"]?.[0] ?? "").split(";", 1)[0] ?? "" };
    expect((await server.ask("/api/models", { headers: byKey })).status).toBe(200);
    expect((await server.ask("/api/models", { headers: session })).status).toBe(200);
    await removeAccessKey(path, "laptop");
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await server.ask("/api/models", { headers: session })).status).toBe(401);
    expect((await server.ask("/api/models", { headers: byKey })).status).toBe(401);
    expect((await server.ask("/api/models")).status).toBe(401);
  });

  test("K6: wrong keys are answered more and more slowly, right ones at once, and a flood gets 429", async () => {
    const server = await startServer({ key: "a-key-of-enough-length", limits: { wrongKeys: 3 } });
    const timed = async (given: string) => {
      const start = performance.now();
      const { status } = await server.ask("/api/models", { headers: { authorization: `Bearer ${given}` } });
      return { status, ms: performance.now() - start };
    };
    const first = await timed("wrong");
    const second = await timed("wrong");
    expect([first.status, second.status]).toEqual([401, 401]);
    expect(first.ms).toBeGreaterThan(90);
    expect(second.ms).toBeGreaterThan(190);
    const flood = Promise.all(Array.from({ length: 8 }, () => timed("wrong")));
    const right = await timed("a-key-of-enough-length");
    expect(right.status).toBe(200);
    expect(right.ms).toBeLessThan(350);
    expect((await flood).map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
  });

  test("K6: the client's name reaches the turn that it starts, and the WebSocket takes a key", async () => {
    const home = newFolder();
    const key = await addAccessKey(accessFilePath({ HOME: home }), "laptop");
    const server = await startServer({ home });
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await server.ask("/chat", { method: "POST", headers, body: { message: "Hi", model: "sim/ok" } });
    expect(status).toBe(200);
    const { records } = await server.activity.list({ limit: 10 });
    expect(records.map(({ client }) => client)).toEqual(["laptop"]);
    const opened = (options: object): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${server.host}/ws`, options);
        socket.on("open", () => {
          socket.close();
          resolve("open");
        });
        socket.on("error", ({ message }) => resolve(message));
      });
    expect(await opened({ headers })).toBe("open");
    expect(await opened({})).toContain("401");
    expect(await opened({ headers: { authorization: "Bearer wrong" } })).toContain("401");
  });

  test("K6: the server's answers and logs have no key in them", async () => {
    const home = newFolder();
    const key = await addAccessKey(accessFilePath({ HOME: home }), "laptop");
    const server = await startServer({ home });
    const own = { "x-secondwind-token": server.token };
    const answers = [
      await server.ask("/api/session", { method: "POST", headers: own, body: { key: [key] } }),
      await server.ask("/api/session", { method: "POST", headers: own, body: `{"key": "${key}"` }),
      await server.ask("/api/models", { headers: { authorization: `Bearer x${key}` } }),
      await server.ask(`/api/${key}`, { headers: { authorization: `Bearer ${key}` } }),
    ];
    for (const { text, status } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(key);
    }
    expect(readFileSync(join(home, ".config/secondwind/access.json"), "utf8")).not.toContain(key);
  });
});
