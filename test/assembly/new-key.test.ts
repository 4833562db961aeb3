import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAssembly } from "../../src/assembly/index.ts";
import type { CooldownScope } from "../../src/kernel/index.ts";

const HOUR = 3_600_000;
const OLD = "old-key-0123456789";
const NEW = "new-key-9876543210";
const HERE = "http://127.0.0.1:9/v1";
const THERE = "http://127.0.0.1:10/v1";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "new-key-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const path = (): string => join(home, "secondwind.db");

/** One process with these keys for the box, as its variable has them. */
async function withProcess<T>(
  keys: string,
  address: string,
  work: (process: { block(id: string, scope?: CooldownScope): void; isBlocked(id: string): boolean }) => T,
): Promise<T> {
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    SECONDWIND_BOX_BASE_URL: address,
    SECONDWIND_BOX_MODELS: "m",
    ...(keys !== "" && { SECONDWIND_BOX_API_KEY: keys }),
  };
  const { health, ports, close } = await openAssembly({ env, storePath: path() });
  const target = (credential: string) => ({ provider: "box", model: "m", credential });
  const result = work({
    block: (id, scope = "credential") => health.coolDown(target(id), scope, ports.now() + HOUR),
    isBlocked: (id) => health.blockedForMs(target(id), null, ports.now()) > 0,
  });
  await close();
  return result;
}

describe("E17: cooldowns belong to keys, not to places in a variable", () => {
  test("E17: the same key cools on after a restart, a new one in its place is tried", async () => {
    await withProcess(OLD, HERE, ({ block }) => block("box#env1"));
    expect(await withProcess(OLD, HERE, ({ isBlocked }) => isBlocked("box#env1"))).toBe(true);
    expect(await withProcess(NEW, HERE, ({ isBlocked }) => isBlocked("box#env1"))).toBe(false);
  });

  test("E17: the same key is another one at another address", async () => {
    await withProcess(OLD, HERE, ({ block }) => block("box#env1"));
    expect(await withProcess(OLD, THERE, ({ isBlocked }) => isBlocked("box#env1"))).toBe(false);
  });

  test("E17: of two keys that changed places neither has the other's cooldown", async () => {
    await withProcess(`${OLD},${NEW}`, HERE, ({ block }) => block("box#env1"));
    const blocked = await withProcess(`${NEW},${OLD}`, HERE, ({ isBlocked }) =>
      ["box#env1", "box#env2"].map(isBlocked),
    );
    expect(blocked).toEqual([false, false]);
  });

  test("E17: a model cools down for every key, but only at its address; so does one that needs no key", async () => {
    await withProcess(OLD, HERE, ({ block }) => block("box#env1", "model"));
    expect(await withProcess(NEW, HERE, ({ isBlocked }) => isBlocked("box#env1"))).toBe(true);
    expect(await withProcess(NEW, THERE, ({ isBlocked }) => isBlocked("box#env1"))).toBe(false);
    await withProcess("", HERE, ({ block }) => block(""));
    expect(await withProcess("", HERE, ({ isBlocked }) => isBlocked(""))).toBe(true);
    expect(await withProcess("", THERE, ({ isBlocked }) => isBlocked(""))).toBe(false);
  });

  test("E17: nothing of the key is in the store", async () => {
    await withProcess(OLD, HERE, ({ block }) => block("box#env1"));
    const bytes = readFileSync(path()).toString("latin1");
    expect(bytes).toContain("box#env1");
    expect(bytes).not.toContain(OLD.slice(0, 7));
  });
});
