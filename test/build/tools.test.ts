import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, describeMissing, findTool, judgeTools, missingTools, TOOLS, type Tool } from "../../build/tools.ts";

const TMUX = TOOLS.find(({ name }) => name === "tmux") as Tool;

describe("what to do about missing tools", () => {
  test.each([
    ["nothing where nothing is missing", { missing: [], isRoot: true, hasApt: true, isCi: true }, "complete"],
    ["install as root with apt-get", { missing: [TMUX], isRoot: true, hasApt: true, isCi: false }, "install"],
    ["install in CI as well", { missing: [TMUX], isRoot: true, hasApt: true, isCi: true }, "install"],
    ["leave out without root", { missing: [TMUX], isRoot: false, hasApt: true, isCi: false }, "leave-out"],
    ["leave out without apt-get", { missing: [TMUX], isRoot: true, hasApt: false, isCi: false }, "leave-out"],
    ["fail in CI without root", { missing: [TMUX], isRoot: false, hasApt: true, isCi: true }, "fail"],
    ["fail in CI without apt-get", { missing: [TMUX], isRoot: true, hasApt: false, isCi: true }, "fail"],
  ] as const)("is to %s", (_, machine, verdict) => {
    expect(judgeTools(machine)).toBe(verdict);
  });

  test("is described in one line: what does not run, and how to get the tool", () => {
    for (const one of TOOLS) {
      const line = describeMissing(one);
      expect(line).not.toContain("\n");
      expect(line).toContain(`apt-get install ${one.debianPackage}`);
      for (const suite of one.suites) expect(line).toContain(suite);
    }
    expect(describeMissing(CHROMIUM)).toContain("set CHROMIUM");
  });
});

test.each([
  ["tmux", /support\/pty\.ts"/],
  ["bash", /start\("bash /],
  ["Chromium", /support\/open-tavern\.ts"/],
])("every test file that needs %s is among its suites", (name, use) => {
  const { suites } = TOOLS.find((tool) => tool.name === name) as Tool;
  const files = readdirSync("test", { recursive: true, encoding: "utf8" }).map((file) => `test/${file}`);
  const ours = files.filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"));
  const users = ours.filter((file) => use.test(readFileSync(file, "utf8")));
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter((file) => !suites.some((suite) => patternOf(suite).test(file)))).toEqual([]);
});

function patternOf(glob: string): RegExp {
  const parts = glob.split("**/").map((part) => part.replaceAll(".", "\\.").replaceAll("*", "[^/]*"));
  return new RegExp(`^${parts.join("(?:.*/)?")}$`);
}

describe("looking for a tool", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "secondwind-tools-"));
    for (const name of ["google-chrome", "tmux", "my-chrome"]) await writeFile(join(folder, name), "");
    for (const name of ["google-chrome", "my-chrome"]) await chmod(join(folder, name), 0o755);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("finds it by any of its names on the PATH", () => {
    expect(findTool(CHROMIUM, { PATH: `/nowhere:${folder}` })).toBe(join(folder, "google-chrome"));
  });

  test("takes the path that its variable names, and nothing else where that is wrong", () => {
    const path = join(folder, "my-chrome");
    expect(findTool(CHROMIUM, { PATH: "", CHROMIUM: path })).toBe(path);
    expect(findTool(CHROMIUM, { PATH: folder, CHROMIUM: "/nowhere/chrome" })).toBeUndefined();
    expect(findTool(CHROMIUM, { PATH: folder, CHROMIUM: "" })).toBe(join(folder, "google-chrome"));
  });

  test("does not find a file that can't be run", () => {
    // Root may read every file, but can run only files with an executable bit.
    expect(findTool(TMUX, { PATH: folder })).toBeUndefined();
  });

  test("lists what is missing", () => {
    expect(missingTools({ PATH: folder }).map(({ name }) => name)).toEqual(["tmux", "bash", "zsh", "fish", "Redis"]);
    expect(missingTools({})).toEqual(TOOLS);
  });
});
