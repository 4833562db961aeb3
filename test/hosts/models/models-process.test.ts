import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CliEnd, runCli } from "../../support/run-cli.ts";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-models-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const models = (args: readonly string[], env: Record<string, string> = {}): Promise<CliEnd> =>
  runCli(["models", ...args], "", { XDG_CONFIG_HOME: home, ...env });

describe("secondwind models", () => {
  test("E17: without keys, lists the simulated models and the missing keys", async () => {
    const { code, out, err } = await models([]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Default model: sim/sonnet");
    expect(out).toContain("  sim/overloaded-twice\n");
    expect(out).toContain("Anthropic: set ANTHROPIC_API_KEY, or secondwind keys add anthropic");
  });

  test("E17: --json lists what is ready, its credentials, and what is missing", async () => {
    const { out } = await models(["--json"], { OPENAI_API_KEY: "sk-first-key,sk-second-key" });
    const { defaultModel, providers } = JSON.parse(out) as {
      defaultModel: string;
      providers: readonly Record<string, unknown>[];
    };
    const find = (name: string) => providers.find(({ provider }) => provider === name);
    expect(defaultModel).toMatch(/^openai\//);
    expect(find("openai")).toMatchObject({ ready: true, credentials: ["openai#env1", "openai#env2"], missing: null });
    expect(find("anthropic")).toMatchObject({ ready: false, credentials: [], missing: "ANTHROPIC_API_KEY" });
    expect(find("sim")).toMatchObject({ ready: true, models: expect.arrayContaining(["sim/ok", "sim/stall"]) });
    expect(out).not.toContain("first-key");
  });

  test("E17: an invalid setting is invalid usage", async () => {
    const { code, err } = await models([], { OPENAI_BASE_URL: "nowhere" });
    expect(code).toBe(2);
    expect(err).toContain("OPENAI_BASE_URL must be an http(s) URL");
    expect(err).toContain('got "nowhere"');
  });
});
