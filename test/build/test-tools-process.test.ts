import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const isRoot = process.getuid?.() === 0;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondwind-tools-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, script = ""): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

/** Installs into the folder, without a network; of these it knows nothing. */
const fakeApt = (...unknown: readonly string[]): Promise<void> =>
  program(
    "apt-get",
    `for word; do last=$word; done
echo "$last" >> '${folder}/apt.log'
case "$last" in
  --version|update) ;;
  ${["none", ...unknown].join("|")}) echo "E: Unable to locate package $last" >&2; exit 100 ;;
  *) printf '#!/bin/sh\\n' > '${folder}/'$last; /bin/chmod 755 '${folder}/'$last ;;
esac`,
  );

/** The script on a machine that has nothing but what is in the folder. */
function look(env: Readonly<Record<string, string>> = {}) {
  const script = join(ROOT, "build/test-tools.ts");
  const { status, stdout } = spawnSync(process.execPath, ["--import", import.meta.resolve("tsx"), script], {
    env: { PATH: folder, ...env },
    encoding: "utf8",
  });
  return { status, lines: stdout.split("\n").filter((line) => line !== "") };
}

describe("before the tests", () => {
  test("prints nothing if no tool is missing", async () => {
    for (const name of ["chromium-headless-shell", "tmux", "bash", "zsh", "fish", "redis-server"]) await program(name);
    expect(look({ CI: "true" })).toEqual({ status: 0, lines: [] });
  });

  test("without apt-get every missing tool is one line, and the tests run", async () => {
    for (const name of ["bash", "zsh", "fish", "redis-server"]) await program(name);
    const { status, lines } = look();
    expect(status).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^Chromium not found\. Not run: .*CHROMIUM/),
      expect.stringMatching(/^tmux not found\. Not run: .*apt-get install tmux/),
    ]);
  });

  test("with CI=true a missing tool is an error", async () => {
    for (const name of ["chromium-headless-shell", "bash", "zsh", "fish", "redis-server"]) await program(name);
    expect(look({ CI: "true" })).toEqual({
      status: 1,
      lines: [expect.stringContaining("tmux not found"), "With CI=true a missing tool is an error."],
    });
  });

  test("installs missing tools as root; other users see how to install them", async () => {
    await fakeApt();
    for (const name of ["bash", "fish", "redis-server"]) await program(name);
    const { status, lines } = look(isRoot ? { CI: "true" } : {});
    expect(status).toBe(0);
    if (isRoot) {
      expect(lines).toEqual([
        "Installing what the tests need: chromium-headless-shell, tmux, zsh.",
        "Installed chromium-headless-shell.",
        "Installed tmux.",
        "Installed zsh.",
      ]);
      expect(await readFile(join(folder, "apt.log"), "utf8")).toBe(
        "--version\nupdate\nchromium-headless-shell\ntmux\nzsh\n",
      );
    } else {
      expect(lines.map((line) => line.split(" ")[0])).toEqual(["Chromium", "tmux", "zsh"]);
    }
  });

  test("skips a tool that can't be installed and reports why", async () => {
    await fakeApt("chromium-headless-shell");
    for (const name of ["bash", "zsh", "fish", "redis-server"]) await program(name);
    const { status, lines } = look();
    expect(status).toBe(0);
    expect(lines.at(-1)).toContain(isRoot ? "Chromium not found" : "tmux not found");
    if (isRoot) {
      expect(lines).toContain(
        "Could not install chromium-headless-shell: E: Unable to locate package chromium-headless-shell",
      );
      expect(lines).toContain("Installed tmux.");
      await rm(join(folder, "tmux"));
      expect(look({ CI: "true" }).status).toBe(1);
    }
  });
});
