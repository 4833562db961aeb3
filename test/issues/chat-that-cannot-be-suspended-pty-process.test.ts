import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Pty, useTerminals } from "../support/pty.ts";
import { CLI } from "../support/run-cli.ts";

const terminals = useTerminals();
const run = promisify(execFile);
const chat = `'${process.execPath}' '${CLI}' chat`;

/** A shell with job control. */
async function shell(name: string): Promise<Pty> {
  const pty = new Pty(name, terminals, { isPlain: true, env: { PS1: "shell> " } });
  await pty.start("bash --noprofile --norc -i");
  await pty.shows(/shell>/);
  return pty;
}

test("S10: Ctrl-Z suspends the chat and gives the terminal back; fg continues where it was", async () => {
  const pty = await shell("suspended");
  await pty.keys(`${chat} -m sim/ok`, "Enter");
  await pty.shows(/Type a message/);
  await pty.keys("half a sentence");
  await pty.shows(/❯ half a sentence/);
  await pty.keys("C-z");
  await pty.shows(/Stopped[\s\S]*chat/);
  // The shell echoes what is typed, which it does not in raw mode.
  await pty.keys("echo $((6 * 7))", "Enter");
  await pty.shows(/echo \$\(\(6 \* 7\)\)\n42\n/);
  await pty.keys("fg", "Enter");
  await pty.shows(/Type a message, or \/help\.\s+❯ half a sentence\n/);
  await pty.keys(" goes on");
  const screen = await pty.shows(/❯ half a sentence goes on/);
  expect(screen).not.toContain("shell>");
  await pty.keys("C-c", "C-c");
  await pty.shows(/chat -m sim\/ok\s+shell>\s*$/);
}, 120_000);

test("S6: after kill -9 in the middle of an answer, --continue offers the question again", async () => {
  const pty = await shell("killed");
  await pty.keys(`${chat} -m sim/ok-600`, "Enter");
  await pty.shows(/Type a message/);
  await pty.keys("Why is the sky blue?", "Enter");
  await pty.shows(/❯ Why is the sky blue\?\n\n(?:\S+ ){3}/);
  const { stdout } = await run("pgrep", ["-f", `^${process.execPath} ${CLI} chat -m sim/ok-600$`]);
  process.kill(Number(stdout.trim()), "SIGKILL");
  await pty.shows(/Killed/);
  await pty.keys(`reset; ${chat} --continue`, "Enter");
  await pty.shows(/has no answer yet\. Press Enter to send it again\.\s+❯ Why is the sky blue\?\n/);
  await pty.keys("Enter");
  await pty.shows(/❯ Why is the sky blue\?\n\n(?:\S+ ){3}/);
  await pty.keys("C-c", "C-c");
}, 120_000);
