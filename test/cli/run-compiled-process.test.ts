import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { keepCompiled, readCompiled } from "../../src/cli/compiled-file.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
let folder = "";
let caches = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondwind-compiled-"));
  caches = join(folder, "caches");
  await cp(inject("program"), join(folder, "dist"), { recursive: true });
  await cp(join(ROOT, "package.json"), join(folder, "package.json"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const kept = async (inside = join(folder, "dist/ask")): Promise<string[]> =>
  (await readdir(inside)).filter((name) => !name.endsWith(".cjs")).map((name) => join(inside, name));

beforeEach(async () => {
  for (const file of await kept()) await rm(file, { recursive: true });
  await rm(caches, { recursive: true, force: true });
});

/** The built program, asked something that it answers by itself. */
const ask = async (model = "sim/ok", more: NodeJS.ProcessEnv = {}): Promise<string> => {
  const args = [join(folder, "dist/cli.cjs"), "ask", "-w", "0", "-m", model, "echo: still here"];
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: caches, NO_COLOR: "1", ...more };
  const running = run(process.execPath, args, { env });
  running.child.stdin?.end();
  return (await running).stdout;
};

test("B4: ask writes its compiled code and runs from it", async () => {
  expect(await ask()).toBe("still here\n");
  const files = await kept();
  expect(files.length).toBeGreaterThan(3);
  expect(files.every((name) => name.endsWith(".cjs.compiled"))).toBe(true);
  const before = await Promise.all(files.map((file) => readFile(file)));
  expect(await ask()).toBe("still here\n");
  expect(await kept()).toEqual(files);
  // Nothing was compiled anew: that would have been written.
  expect(await Promise.all(files.map((file) => readFile(file)))).toEqual(before);
}, 30_000);

test("B4: parts that are loaded on demand are compiled and stored too: TLS, decompression", async () => {
  const server = createServer((_, response) => {
    const events = [{ delta: { content: "unpacked" } }, { delta: {}, finish_reason: "stop" }].map(
      (choice) => `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, ...choice }] })}\n\n`,
    );
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    response.end(gzipSync(`${events.join("")}data: [DONE]\n\n`));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const _ of ["compiled anew", "from what was kept"]) {
    const plain = { SECONDWIND_BOX_BASE_URL: `http://127.0.0.1:${port}/v1` };
    expect(await ask("box/any", plain)).toBe("unpacked\n");
    const tls = { SECONDWIND_BOX_BASE_URL: `https://127.0.0.1:${port}/v1` };
    // It speaks no TLS, which only TLS can tell.
    await expect(ask("box/any", tls)).rejects.toThrow(/wrong version number|EPROTO|packet length/i);
  }
  server.close();
}, 30_000);

test("B4: a damaged cache file is not run, but replaced", async () => {
  await ask();
  const files = await kept();
  const whole = await Promise.all(files.map((file) => readFile(file)));
  const damages: readonly ((file: Buffer) => Buffer)[] = [
    (file) => file.map((byte, index) => (index > 200 && index % 97 === 0 ? byte ^ 0xff : byte)) as Buffer,
    (file) => file.subarray(0, file.length >> 1),
    () => Buffer.alloc(0),
    () => Buffer.from("nonsense of some length"),
  ];
  for (const damage of damages) {
    for (const [index, file] of files.entries()) await writeFile(file, damage(whole[index] as Buffer));
    expect(await ask()).toBe("still here\n");
    for (const file of files) {
      const script = file.replace(/\.compiled$/, "");
      expect(readCompiled(script, await readFile(script))).toBeDefined();
    }
  }
}, 60_000);

test("B4: a text that changed without changing its length is compiled again", async () => {
  const script = join(folder, "script.cjs");
  keepCompiled(script, Buffer.from("one"), Buffer.from("code"));
  expect(readCompiled(script, Buffer.from("one"))).toEqual(Buffer.from("code"));
  expect(readCompiled(script, Buffer.from("two"))).toBeUndefined();
});

test("E17: a cache file that another user wrote or may write is not run", async () => {
  const script = join(folder, "theirs.cjs");
  const text = Buffer.from("text");
  keepCompiled(script, text, Buffer.from("code"));
  expect(readCompiled(script, text)).toBeDefined();
  await chmod(`${script}.compiled`, 0o620);
  expect(readCompiled(script, text)).toBeUndefined();
  await chmod(`${script}.compiled`, 0o600);
  expect(readCompiled(script, text)).toBeDefined();
  // Only root can give a file away; for anybody else the mode above is what counts.
  if (process.getuid?.() !== 0) return;
  await chown(`${script}.compiled`, 65_534, 65_534);
  expect(readCompiled(script, text)).toBeUndefined();
});

test("B4: if the package belongs to another user, the cache is in the user's own folder, or nowhere", async () => {
  // A folder in the place of each file: root, too, can't write there.
  const scripts = (await readdir(join(folder, "dist/ask"))).filter((name) => name.endsWith(".cjs"));
  for (const name of scripts)
    await cp(join(ROOT, "docs"), join(folder, "dist/ask", `${name}.compiled`), { recursive: true });
  expect(await ask()).toBe("still here\n");
  const own = await kept(join(caches, "secondwind"));
  expect(own.length).toBeGreaterThan(3);
  const before = await Promise.all(own.map((file) => readFile(file)));
  expect(await ask()).toBe("still here\n");
  expect(await Promise.all(own.map((file) => readFile(file)))).toEqual(before);
  await rm(caches, { recursive: true });
  await writeFile(caches, "a file where a folder should be");
  expect(await ask()).toBe("still here\n");
}, 60_000);
