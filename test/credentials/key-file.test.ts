import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addKey, keyFilePath, readKeyFile, removeKey, Vault } from "../../src/credentials/index.ts";
import { rewritePrivateFile } from "../../src/credentials/private-file.ts";

const KEY = { provider: "openai", origin: "https://api.openai.com", secret: "sk-0123456789" };
let home = "";
let path = "";

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-keys-"));
  path = keyFilePath({ XDG_CONFIG_HOME: home });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

describe("key file", () => {
  test("E17: a file without the next number gives no number twice", async () => {
    await mkdir(dirname(path), { recursive: true });
    const old = { ...KEY, id: "openai#3", secret: "sk-old-old-old" };
    await writeFile(path, JSON.stringify({ version: 1, keys: [old] }), { mode: 0o600 });
    expect((await addKey(path, KEY)).id).toBe("openai#4");
  });

  test("E17: is in the user's configuration folder", () => {
    expect(keyFilePath({ XDG_CONFIG_HOME: "/x", HOME: "/h" })).toBe("/x/secondwind/keys.json");
    expect(keyFilePath({ HOME: "/h" })).toBe("/h/.config/secondwind/keys.json");
    expect(keyFilePath({ XDG_CONFIG_HOME: "relative", HOME: "/h" })).toBe("/h/.config/secondwind/keys.json");
  });

  test("E17: is readable only by its owner, whatever the umask and the folder's mode", async () => {
    const before = process.umask(0);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o777 });
      await addKey(path, KEY);
    } finally {
      process.umask(before);
    }
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(dirname(path))).toBe(0o700);
  });

  test("E17: is private from its creation, before it has content", async () => {
    const before = process.umask(0);
    try {
      await rewritePrivateFile(path, async () => {
        const [draft = ""] = await readdir(dirname(path));
        expect(await modeOf(join(dirname(path), draft))).toBe(0o600);
        return "content";
      });
    } finally {
      process.umask(before);
    }
  });

  test("E17: ids count up and are never reused", async () => {
    expect(await addKey(path, KEY)).toMatchObject({ id: "openai#1" });
    expect(await addKey(path, { ...KEY, secret: "sk-another-one" })).toMatchObject({ id: "openai#2" });
    await removeKey(path, "openai#2");
    expect(await addKey(path, { ...KEY, secret: "sk-yet-another" })).toMatchObject({ id: "openai#3" });
    expect(readKeyFile(path).keys.map(({ id }) => id)).toEqual(["openai#1", "openai#3"]);
  });

  test("E17: a key that is already stored and an unknown id are rejected", async () => {
    await addKey(path, KEY);
    await expect(addKey(path, KEY)).rejects.toThrow("stored as openai#1");
    await expect(removeKey(path, "openai#9")).rejects.toThrow("one of openai#1");
    expect((await readdir(dirname(path))).sort()).toEqual(["keys.json"]);
  });

  test("E17: the same key may be stored once for each origin and each provider", async () => {
    await addKey(path, KEY);
    const proxied = { ...KEY, origin: "https://proxy.example" };
    expect(await addKey(path, proxied)).toMatchObject({ id: "openai#2", origin: "https://proxy.example" });
    expect(await addKey(path, { ...KEY, provider: "my-box" })).toMatchObject({ id: "my-box#1" });
    await expect(addKey(path, proxied)).rejects.toThrow("stored as openai#2");
    const vault = new Vault();
    for (const key of readKeyFile(path).keys) vault.add({ ...key, from: path });
    const { provider, secret } = KEY;
    expect(vault.secretFor({ provider, origin: "https://proxy.example", credential: "openai#2" })).toBe(secret);
    expect(vault.secretFor({ provider, origin: "https://proxy.example", credential: "openai#1" })).toBeUndefined();
    expect(vault.redact(`It is ${secret}`)).toBe("It is [key openai#1]");
  });

  test.each(["constructor", "__proto__"])(
    "E17: the keys of a provider named %s are numbered as well",
    async (provider) => {
      expect(await addKey(path, { ...KEY, provider })).toMatchObject({ id: `${provider}#1` });
      expect(await addKey(path, { ...KEY, provider, secret: "sk-another-one" })).toMatchObject({ id: `${provider}#2` });
      await removeKey(path, `${provider}#2`);
      expect(await addKey(path, { ...KEY, provider, secret: "sk-yet-another" })).toMatchObject({ id: `${provider}#3` });
    },
  );

  test("E17: a failing change leaves the file unchanged and nothing beside it", async () => {
    await addKey(path, KEY);
    const before = await readFile(path, "utf8");
    const failing = rewritePrivateFile(path, () => Promise.reject(new Error("no space")));
    await expect(failing).rejects.toThrow("no space");
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await readdir(dirname(path))).toEqual(["keys.json"]);
  });

  test("E17: of two concurrent writers one is rejected, and no key is lost", async () => {
    await addKey(path, KEY);
    const writers = Array.from({ length: 8 }, (_, n) => addKey(path, { ...KEY, secret: `sk-writer-${n}` }));
    const ends = await Promise.allSettled(writers);
    const stored = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value.id] : []));
    for (const end of ends) if (end.status === "rejected") expect(String(end.reason)).toContain("another secondwind");
    expect(stored.length).toBeGreaterThan(0);
    expect(readKeyFile(path).keys.map(({ id }) => id)).toEqual(["openai#1", ...stored.sort()]);
  });

  test("E17: a file that others can read is rejected, with the command that fixes it", async () => {
    await addKey(path, KEY);
    await chmod(path, 0o644);
    expect(() => readKeyFile(path)).toThrow(`chmod 600 ${path}`);
  });

  test.each([
    ["no JSON", `{"keys": "${KEY.secret}`],
    ["another version", `{"version": 2, "keys": []}`],
    [
      "a field that is wrong",
      `{"version": 1, "keys": [{"id": "a", "provider": "b", "origin": "c", "secrt": "${KEY.secret}"}]}`,
    ],
  ])("E17: %s is refused without telling the key", async (_what, text) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
    let fault = "";
    try {
      readKeyFile(path);
    } catch (thrown) {
      fault = String(thrown);
    }
    expect(fault).toContain("keys.json");
    expect(fault).not.toContain(KEY.secret);
  });

  test.each(["", ".", "some/folder"])("E17: a HOME of %j does not leave keys in the current folder", (home) => {
    expect(keyFilePath({ HOME: home })).toBe(join(userInfo().homedir, ".config/secondwind/keys.json"));
  });

  test("E17: no file means no keys", () => {
    expect(readKeyFile(path)).toMatchObject({ keys: [] });
  });
});
