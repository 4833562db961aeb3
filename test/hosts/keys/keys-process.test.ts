import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, RememberingHealth } from "../../../src/store/index.ts";
import { systemPorts } from "../../../src/system/index.ts";
import { type CliEnd, runCli } from "../../support/run-cli.ts";

const KEY = "sk-0123456789abcdefghijwxyz";
const DAY = 86_400_000;
let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-cli-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const keys = (args: readonly string[], input = "", env: Record<string, string> = {}): Promise<CliEnd> =>
  runCli(["keys", ...args], input, { XDG_CONFIG_HOME: home, ...env });

describe("secondwind keys", () => {
  test("E17: adds a key from stdin, lists it masked, removes it", async () => {
    expect(await keys(["add", "openai"], `${KEY}\n`)).toEqual({
      code: 0,
      out: "Stored as openai#1 (sk-…wxyz) for https://api.openai.com\n",
      err: "",
    });
    const path = join(home, "secondwind/keys.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain(KEY);
    const listed = await keys(["list"], "", { ANTHROPIC_API_KEY: "ant-0123456789abcdefghij" });
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/anthropic#env1 +ant…ghij +https:\/\/api\.anthropic\.com +from ANTHROPIC_API_KEY/);
    expect(listed.out).toContain(`openai#1        sk-…wxyz  https://api.openai.com  from ${path}`);
    expect(listed.out).not.toContain("0123456789");
    expect(await keys(["remove", "openai#1"])).toMatchObject({ code: 0, out: "Removed openai#1\n" });
    expect((await keys(["list"])).out).toContain("No keys yet");
  });

  test("E17: --json has ids and origins, and no secret", async () => {
    await keys(["add", "my-box", "--base-url", "http://127.0.0.1:1/v1"], KEY, {
      SECONDWIND_MY_BOX_BASE_URL: "http://127.0.0.1:2/v1",
    });
    const { out } = await keys(["list", "--json"]);
    expect(JSON.parse(out)).toEqual([
      {
        ...{ id: "my-box#1", provider: "my-box", origin: "http://127.0.0.1:1", masked: "sk-…wxyz" },
        from: join(home, "secondwind/keys.json"),
      },
    ]);
  });

  test("E17: shows the cooldowns, and deletes them with --clear", async () => {
    const env = { SECONDWIND_HOME: join(home, "store") };
    expect(await keys(["cooldowns"], "", env)).toEqual({ code: 0, out: "No cooldowns.\n", err: "" });
    await expect(stat(join(home, "store"))).rejects.toThrow("ENOENT");

    const path = join(home, "store/secondwind.db");
    const store = await openStore({ path });
    const health = await RememberingHealth.load(store.cooldowns, systemPorts());
    const nowMs = systemPorts().now();
    health.coolDown({ provider: "openai", model: "gpt-5", credential: "openai#1" }, "credential", nowMs + 13 * DAY);
    health.coolDown({ provider: "google", model: "gemini", credential: "google#1" }, "model", nowMs + 3 * 3_600_000);
    await store.cooldowns.set('["model","xai","grok"]', Date.UTC(9999, 0));
    await store.close();

    const shown = await keys(["cooldowns"], "", env);
    expect(shown).toMatchObject({ code: 0, err: "" });
    expect(shown.out).toMatch(
      /^openai\/gpt-5 with openai#1 {2}for 13 days, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\ngoogle\/gemini {15}for 3 h, until .*UTC\n$/,
    );
    expect(await keys(["cooldowns", "--clear"], "", env)).toEqual({
      code: 0,
      out: "Deleted: 3. Running programs keep their own copy until they exit.\n",
      err: "",
    });
    const after = await openStore({ path });
    expect(await after.cooldowns.list(0)).toEqual([]);
    await after.close();
  });

  test.each([
    ["a provider that is not known", ["add", "opnai"], KEY, "provider must be one of anthropic, openai"],
    ["an empty key", ["add", "openai"], "\n", "key must be of 8 to 4096 characters"],
    ["a key of two words", ["add", "openai"], "sk-012345 6789", "one word of plain characters"],
    ["a base URL that is none", ["add", "openai", "--base-url", "nowhere"], KEY, "--base-url must be an http(s) URL"],
    ["an id that is not there", ["remove", "openai#1"], "", "there is none"],
    ["an id of the environment", ["remove", "openai#env1"], "", "this one comes from the environment"],
    ["a key as an argument", ["add", "openai", KEY], "", "too many arguments"],
    ["no command", [], "", "Usage: secondwind keys"],
  ])("E17: %s is invalid usage, and no key is repeated", async (_what, args, input, message) => {
    const { code, out, err } = await keys(args, input);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(out + err).not.toContain(KEY);
  });

  test.each(["add", "list", "remove", "cooldowns"])(
    "E17: keys %s --help shows a description, examples and exit codes",
    async (name) => {
      const { code, out } = await keys([name, "--help"]);
      expect(code).toBe(0);
      expect(out).toMatch(/^Usage: .*\n\n[A-Z][^:]*\.\n\n/);
      expect(out).toContain(`Examples:\n  secondwind keys ${name}`);
      expect(out).toContain("Exit codes:\n  0    done\n");
    },
  );
});

test("E17: a key in the place of a command, a provider or an id is not repeated", async () => {
  const key = "0123456789abcdefZZ";
  for (const args of [[key], ["add", key], ["remove", key], ["list", key]]) {
    const { code, out, err } = await keys(args);
    expect(code).toBe(2);
    expect(`${out}${err}`).not.toContain(key);
  }
});
