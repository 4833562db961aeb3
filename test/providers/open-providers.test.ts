import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addKey, keyFilePath } from "../../src/credentials/index.ts";
import { CATALOGUE, openProviders, readEndpoints } from "../../src/providers/index.ts";
import { useSimulator } from "../simulator/http/support.ts";
import { ask, gather, textOf, told } from "./provider-contract.ts";

const world = useSimulator();
const NEVER = new AbortController().signal;
const NOTHING = (async function* () {})();
let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-open-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));
const open = (env: Record<string, string> = {}) => openProviders({ env: { XDG_CONFIG_HOME: home, ...env } });
const endpoint = (name: string, env: Record<string, string>) => readEndpoints(env).find((one) => one.name === name);

describe("providers of an environment", () => {
  test("E17: without any key there is the simulated one, and it is the default", async () => {
    const { defaultModel, providers, credentialsOf } = await open();
    expect(defaultModel).toBe("sim/sonnet");
    expect(credentialsOf("sim")).toEqual(["sim#1", "sim#2"]);
    expect(credentialsOf("anthropic")).toEqual([]);
    const events = await gather(providers.get("sim")?.stream(ask("ok", "echo: here"), NEVER) ?? NOTHING);
    expect(textOf(events)).toBe("here");
  });

  test("E17: several keys in one variable are several credentials, and the first provider with a key is the default", async () => {
    const { credentialsOf, defaultModel, vault } = await open({
      GEMINI_API_KEY: "google-key-one, google-key-two,",
      GOOGLE_GENERATIVE_AI_API_KEY: "not-looked-at",
    });
    expect(credentialsOf("google")).toEqual(["google#env1", "google#env2"]);
    expect(defaultModel).toMatch(/^google\/gemini/);
    expect(vault.redact("google-key-two")).toBe("[key google#env2]");
  });

  test("E17: keys of the environment come before those of the file", async () => {
    const path = keyFilePath({ XDG_CONFIG_HOME: home });
    await addKey(path, { provider: "openai", origin: "https://api.openai.com", secret: "sk-of-the-file" });
    const { credentialsOf, vault } = await open({ OPENAI_API_KEY: "sk-of-the-environment" });
    expect(credentialsOf("openai")).toEqual(["openai#env1", "openai#1"]);
    expect(vault.redact("sk-of-the-file")).toBe("[key openai#1]");
  });

  test("E17: a stored key does not go where the environment points, and is hidden all the same", async () => {
    const path = keyFilePath({ XDG_CONFIG_HOME: home });
    await addKey(path, { provider: "openai", origin: "https://api.openai.com", secret: "sk-of-the-file" });
    const { credentialsOf, providers, vault } = await open({ OPENAI_BASE_URL: world.sim.urls.openai });
    expect(credentialsOf("openai")).toEqual([]);
    expect(vault.redact("sk-of-the-file")).toBe("[key openai#1]");
    const events = told(await gather(providers.get("openai")?.stream(ask("ok"), NEVER) ?? NOTHING));
    expect(events).toMatchObject([{ type: "error", code: "missing_api_key" }]);
    expect(world.sim.requests).toEqual([]);
  });

  test("E17: base URLs as the official SDKs want them lead to the simulator", async () => {
    const { urls } = world.sim;
    const { providers } = await open({
      ...{ OPENAI_BASE_URL: urls.openai, OPENAI_API_KEY: "key-openai" },
      ...{ ANTHROPIC_BASE_URL: urls.anthropic, ANTHROPIC_API_KEY: "key-anthropic" },
      ...{ GOOGLE_GEMINI_BASE_URL: urls.gemini, GEMINI_API_KEY: "key-google" },
      ...{ SECONDWIND_MY_BOX_BASE_URL: `${urls.openai}/`, SECONDWIND_MY_BOX_API_KEY: "key-my-box" },
    });
    for (const name of ["openai", "anthropic", "google", "my-box"]) {
      const events = await gather(providers.get(name)?.stream(ask("ok", `echo: ${name}`), NEVER) ?? NOTHING);
      expect(textOf(events)).toBe(name);
    }
    const seen = world.sim.requests.map(({ provider, path, key }) => `${provider} ${path.replace(/\?.*/, "")} ${key}`);
    expect(seen).toEqual([
      "openai /v1/chat/completions key-openai",
      "anthropic /v1/messages key-anthropic",
      "gemini /v1beta/models/ok:streamGenerateContent key-google",
      "openai /v1/chat/completions key-my-box",
    ]);
  });

  test("E17: a custom server needs no key, and lists its configured models", async () => {
    const env = { SECONDWIND_OLD_PC_BASE_URL: "http://127.0.0.1:11434/v1", SECONDWIND_OLD_PC_MODELS: "llama3, qwen" };
    const { credentialsOf, defaultModel } = await open(env);
    expect(credentialsOf("old-pc")).toEqual([""]);
    expect(defaultModel).toBe("old-pc/llama3");
    expect(endpoint("old-pc", env)).toMatchObject({ models: ["llama3", "qwen"], speech: "openai-chat" });
  });

  test("E17: OpenAI itself is spoken to in its own newest way, everyone else in the one they all know", () => {
    expect(endpoint("openai", {})).toMatchObject({ speech: "openai-responses" });
    expect(endpoint("openai", { OPENAI_BASE_URL: "http://127.0.0.1/v1" })).toMatchObject({ speech: "openai-chat" });
    expect(endpoint("anthropic", { ANTHROPIC_BASE_URL: "https://x.example/proxy/" })).toMatchObject({
      baseUrl: "https://x.example/proxy/v1",
    });
    expect(endpoint("google", { GOOGLE_GEMINI_BASE_URL: "https://x.example/v1beta" })).toMatchObject({
      baseUrl: "https://x.example/v1beta",
    });
  });

  test.each([
    [{ OPENAI_BASE_URL: "localhost:8080" }, "OPENAI_BASE_URL must be an http(s) URL"],
    [{ SECONDWIND_A_BASE_URL: "ftp://a" }, "SECONDWIND_A_BASE_URL must be an http(s) URL"],
    [{ SECONDWIND_A_BASE_URL: "http://me:secret@a/v1" }, "without a login"],
    [{ SECONDWIND_OPENAI_BASE_URL: "http://me:secret@a/v1" }, "use OPENAI_BASE_URL"],
    [{ SECONDWIND_OPENAI_BASE_URL: "http://a/v1" }, "use OPENAI_BASE_URL"],
    [{ SECONDWIND_SIM_BASE_URL: "http://a/v1" }, "use another name"],
  ])("E17: a setting that makes no sense is answered with its name: %o", (env, message) => {
    expect(() => readEndpoints(env)).toThrow(message);
    expect(faultOf(() => readEndpoints(env))).not.toContain("secret");
  });

  test("E17: provider names and their environment variables are unique", () => {
    const names = CATALOGUE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const variables = CATALOGUE.flatMap(({ keyVariables, baseUrlVariable }) => [...keyVariables, baseUrlVariable]);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

function faultOf(act: () => unknown): string {
  try {
    act();
    return "";
  } catch (fault) {
    return String(fault);
  }
}
