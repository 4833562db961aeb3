import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { runCli } from "../run-cli.ts";

const run = promisify(execFile);

/** What a real bash offers after these words, the last one being typed. */
async function offered(script: string, ...words: readonly string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(" ");
  const { stdout } = await run("bash", [
    "-c",
    `${script}\nCOMP_WORDS=(secondwind ${list}); COMP_CWORD=${words.length}; _secondwind; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  return stdout.split("\n").filter((word) => word !== "");
}

describe("secondwind completion", () => {
  test("B4: a real bash completes commands, subcommands and options of the program as it is", async () => {
    const { code, out: script } = await runCli(["completion", "bash"]);
    expect(code).toBe(0);
    expect(await offered(script, "co")).toEqual(["console", "completion"]);
    expect(await offered(script, "ask", "--m")).toEqual(["--model", "--max-wait"]);
    expect(await offered(script, "ask", "-m", "sim/ok", "--j")).toEqual(["--json"]);
    expect(await offered(script, "keys", "")).toEqual(expect.arrayContaining(["add", "list", "remove"]));
    expect(await offered(script, "console", "--conv")).toEqual(["--conversation"]);
  });

  test("B4: zsh and fish are told every command with what it is for", async () => {
    const { out: zsh } = await runCli(["completion", "zsh"]);
    expect(zsh).toContain("'ask:one question, one answer: for scripts and pipes'");
    expect(zsh.match(/'/g)?.length ?? 1).toSatisfy((count: number) => count % 2 === 0);
    const { out: fish } = await runCli(["completion", "fish"]);
    expect(fish).toContain(
      "complete -c secondwind -n '__fish_seen_subcommand_from ask' -s w -l max-wait -r -d 'wait no longer than this between attempts, in all'",
    );
  });

  test("B4: another shell is wrong usage", async () => {
    const { code, err } = await runCli(["completion", "tcsh"]);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("must be one of bash, zsh, fish") });
  });
});
