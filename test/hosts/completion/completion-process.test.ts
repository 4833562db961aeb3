import { execFile } from "node:child_process";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { Pty, useTerminals } from "../../support/pty.ts";
import { CLI, runCli } from "../../support/run-cli.ts";

const run = promisify(execFile);
const terminals = useTerminals();

const SHELLS = ["bash", "zsh", "fish"] as const;
const scripts = { bash: "", zsh: "", fish: "" };
/** The program under its name, in each shell. */
const PROGRAM = {
  bash: `secondwind() { '${process.execPath}' '${CLI}' "$@"; }`,
  fish: `function secondwind; '${process.execPath}' '${CLI}' $argv; end`,
} as const;
/** Every command in --help. */
let commands: readonly string[] = [];

beforeAll(async () => {
  for (const shell of SHELLS) scripts[shell] = (await runCli(["completion", shell])).out;
  commands = listed((await runCli(["--help"])).out);
});

/** The command names on a help page. */
function listed(help: string): readonly string[] {
  const list = /\nCommands:\n(.*?)\n\n/s.exec(help)?.[1] ?? "";
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
}

/** What a real bash offers for these words; the last one is incomplete. */
async function inBash(...words: readonly string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(" ");
  const { stdout } = await run(
    "bash",
    [
      "-c",
      `${PROGRAM.bash}\n${scripts.bash}\nCOMP_WORDS=(secondwind ${list}); COMP_CWORD=${words.length}; _secondwind; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { env: { PATH: process.env.PATH ?? "", SECONDWIND_HOME: terminals.home, HOME: terminals.home } },
  );
  return stdout.split("\n").filter((word) => word !== "");
}

/** What a real fish offers, without files. */
async function inFish(...words: readonly string[]): Promise<string[]> {
  const file = join(terminals.home, "secondwind.fish");
  await writeFile(file, scripts.fish);
  const asked = `${PROGRAM.fish}; source ${file}; complete -C 'secondwind ${words.join(" ")}'`;
  const { stdout } = await run("fish", ["--no-config", "-c", asked], {
    cwd: terminals.home,
    env: { PATH: process.env.PATH ?? "", SECONDWIND_HOME: terminals.home, HOME: terminals.home },
  });
  return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
}

/** A real zsh at its prompt, with the script loaded in one of the two documented ways. */
async function startZsh(name: string, how: "fpath" | "eval"): Promise<Pty> {
  const folder = join(terminals.home, name);
  await mkdir(join(folder, "functions"), { recursive: true });
  const script = join(folder, "functions", how === "fpath" ? "_secondwind" : "secondwind.zsh");
  await writeFile(script, scripts.zsh);
  const fpath = how === "fpath" ? `fpath=(${folder}/functions $fpath)` : "";
  const load = how === "eval" ? `eval "$(cat ${script})"` : "";
  const settings = `${PROGRAM.bash}; PS1='%% '; ${fpath}\nautoload -Uz compinit; compinit -u -d ${folder}/dump\n${load}\nsetopt no_beep auto_list\n`;
  await writeFile(join(folder, ".zshrc"), settings);
  const pty = new Pty(name, terminals);
  await pty.start(`env ZDOTDIR=${folder} sh -c 'cd ${folder} && exec zsh -d -i'`);
  await pty.shows(/^%/m);
  return pty;
}

describe("secondwind completion", () => {
  test("B4: bash, zsh and fish complete every command and option of the program", async () => {
    expect(commands).toEqual(expect.arrayContaining(["why", "ask", "console", "completion", "help"]));
    expect(await inBash("")).toEqual(expect.arrayContaining([...commands]));
    expect(await inFish("")).toEqual(expect.arrayContaining([...commands]));
    for (const command of commands) {
      expect(scripts.bash).toContain(`'${command}') words='`);
      expect(scripts.zsh).toContain(`'${command}') entries=(`);
      expect(scripts.zsh).toContain(`'${command}:`);
      expect(scripts.fish).toContain(`-f -a ${command} -d '`);
      const { out } = await runCli([command, "--help"]);
      const flags = new Set([...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = ""]) => flag));
      expect(new Set((await inBash(command, "--")).filter((word) => word.startsWith("--")))).toEqual(flags);
      expect(new Set(await inFish(command, "--"))).toEqual(flags);
      for (const flag of flags) expect(scripts.zsh).toContain(`'${flag}:`);
    }
  }, 90_000);

  test("B4: a real bash completes commands, subcommands, values and options", async () => {
    expect(await inBash("co")).toEqual(["console", "completion"]);
    expect(await inBash("ask", "--m")).toEqual(["--model", "--max-wait"]);
    expect(await inBash("ask", "-m", "sim/ok", "--j")).toEqual(["--json"]);
    expect(await inBash("keys", "")).toEqual(expect.arrayContaining(["add", "list", "remove"]));
    expect(await inBash("console", "--con")).toEqual(["--continue", "--conversation"]);
    expect(await inBash("completion", "")).toEqual(expect.arrayContaining([...SHELLS]));
    expect(await inBash("help", "")).toEqual(expect.arrayContaining(["ask", "console"]));
    expect(await inBash("ask", "chat", "--c")).toEqual([]);
  });

  test("B4: a real fish completes them, and takes no word of a question or an option value for a command", async () => {
    expect(await inFish("co")).toEqual(["completion", "console"]);
    expect(await inFish("completion", "")).toEqual([...SHELLS].sort());
    expect(await inFish("help", "")).toEqual(expect.arrayContaining(["ask", "console"]));
    expect(await inFish("keys", "")).toEqual(expect.arrayContaining(["add", "list", "remove"]));
    expect(await inFish("keys", "add", "--b")).toEqual(["--base-url"]);
    expect(await inFish("ask", "-m", "keys", "")).not.toContain("add");
    expect(await inFish("ask", "chat", "--")).not.toContain("--continue");
  });

  test.each(["fpath", "eval"] as const)(
    "B4: a real zsh completes from the first Tab on, loaded by %s",
    async (how) => {
      const pty = await startZsh(how, how);
      await pty.keys("secondwind cons", "Tab");
      await pty.shows(/% secondwind console/);
      // A quote in a description is escaped.
      await pty.keys("C-u", "secondwind chat --", "Tab");
      expect(await pty.shows(/--session/)).toContain("default: the conversation's");
      await pty.keys("C-u", "secondwind completion ", "Tab");
      await pty.shows(/bash +fish +zsh/);
      await pty.keys("C-u", "secondwind help cha", "Tab");
      await pty.shows(/secondwind help chat/);
      await pty.keys("C-u", "secondwind keys co", "Tab");
      await pty.shows(/secondwind keys cooldowns/);
      await pty.keys("C-u", "secondwind ask -p pat", "Tab");
      await pty.shows(/secondwind ask -p patient/);
      await pty.keys("C-u", "secondwind ask -m sim/overloaded-tw", "Tab");
      await pty.shows(/secondwind ask -m sim\/overloaded-twice/);
    },
    60_000,
  );

  test("B4: bash and fish offer the values of options: models, policies, scenarios, weather, conversations, providers", async () => {
    const store = await openStore({ path: join(terminals.home, "secondwind.db") });
    await store.conversations.create({ id: "talk-about-sails", title: "Sails\tand 'wind'" });
    await store.close();
    for (const inShell of [inBash, inFish]) {
      expect(await inShell("ask", "-m", "sim/overl")).toContain("sim/overloaded-twice");
      expect(await inShell("embed", "--model", "")).toEqual(["sim/ok"]);
      expect(await inShell("ask", "--policy", "p")).toContain("patient");
      expect(await inShell("lab", "-s", "black")).toEqual(["black-hole"]);
      expect(await inShell("lab", "--policy", "pat")).toContain("patient");
      expect(await inShell("sim", "--weather", "")).toEqual(
        expect.arrayContaining(["calm", "drizzle", "storm", "quota"]),
      );
      for (const command of ["chat", "console", "rpc"]) {
        expect(await inShell(command, "--session", "")).toEqual(["talk-about-sails"]);
      }
      expect(await inShell("keys", "add", "an")).toEqual(["anthropic"]);
      expect(await inShell("why", "-p", "open")).toEqual(["openai", "openrouter"]);
    }
  }, 90_000);

  test("B4: looking up values creates no store, and an unknown kind gives none", async () => {
    const home = join(terminals.home, "none");
    expect(await runCli(["complete", "conversations"], "", { SECONDWIND_HOME: home })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    await expect(stat(home)).rejects.toThrow("ENOENT");
    expect(await runCli(["complete", "nothing"])).toEqual({ code: 0, out: "", err: "" });
  });

  test("B4: rejects an unknown shell with exit code 2", async () => {
    const { code, err } = await runCli(["completion", "tcsh"]);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining("Allowed choices are bash, zsh, fish"),
    });
  });
});
