import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { Pty, useTerminals } from "../support/pty.ts";
import { CLI } from "../support/run-cli.ts";

const terminals = useTerminals();
const node = `${process.execPath} ${CLI}`;
const LINES = Array.from({ length: 49 }, (_, index) => `line ${index + 1}`);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function open(name: string): Pty {
  return new Pty(name, terminals, { isPlain: true });
}

/** The questions that were sent, as stored. */
async function asked(conversation: string): Promise<readonly string[]> {
  const store = await openStore({ path: join(terminals.home, "secondwind.db") });
  const known = await store.conversations.get(conversation);
  const entries = known === undefined ? [] : await store.conversations.read(conversation);
  await store.close();
  const said = entries.map(({ data }) => data as { readonly role?: string; readonly content?: unknown });
  return said.flatMap(({ role, content }) => (role === "user" ? [String(content)] : []));
}

// `ok-8`: an answer of eight words is one line.
describe.concurrent("lines pasted into the console", () => {
  test.each(["bracketed", "plain"] as const)(
    "C1: a paste (%s) is one message, sent by Enter and not before",
    async (kind) => {
      const pty = open(`paste-${kind}`);
      await pty.start(`${node} console --conversation paste-${kind} -m sim/ok-8`);
      await pty.shows(/^>/m);
      await pty.keys("Explain: ");
      await pty.paste(LINES.join("\n"), kind);
      await pty.shows(/^… line 49$/m);
      await pause(300);
      expect(await asked(`paste-${kind}`)).toEqual([]);
      await pty.keys("!", "Enter");
      await pty.shows(/line 49!\n(?:[^>…\n][^\n]*\n)+>/);
      await pty.keys("C-c");
      await pty.shows(/left with 0/);
      expect(await asked(`paste-${kind}`)).toEqual([`Explain: ${LINES.join("\n")}!`]);
    },
    60_000,
  );

  test("C1: the last line of a paste is edited like a typed one, and Backspace goes back to the line before", async () => {
    const pty = open("edit");
    await pty.start(`${node} console --conversation edit -m sim/ok`);
    await pty.shows(/^>/m);
    await pty.paste("one\ntwo\nthree\n");
    await pty.shows(/^> one\n… two\n… three\n…$/m);
    await pty.keys("BSpace", "BSpace");
    await pty.shows(/^> one\n… two\n… thre$/m);
    await pty.keys("C-u", "BSpace", "?", "Enter");
    await pty.shows(/^> one\n… two\?\n/m);
    await pty.shows(/\n>$/m);
    await pty.keys("C-d");
    await pty.shows(/left with 0/);
    expect(await asked("edit")).toEqual(["one\ntwo?"]);
  }, 60_000);

  test("C4: the first Ctrl-C cancels the request and drops the lines typed ahead; the next question is the next line", async () => {
    const pty = open("drop");
    await pty.start(`${node} console --conversation drop -m sim/bad-gateway`);
    await pty.shows(/^>/m);
    await pty.keys("first", "Enter");
    for (const line of ["second", "third", "fourth"]) {
      await pause(400);
      await pty.keys(line, "Enter");
    }
    await pty.shows(/attempt 4/);
    await pty.keys("C-c");
    await pty.shows(/Cancelled\nDropped 3 lines typed ahead\.\n>$/m);
    await pause(1200);
    expect(await asked("drop")).toEqual(["first"]);
    await pty.keys("C-c");
    await pty.shows(/left with 0/);
  }, 60_000);

  test("C4: a paste during a request is not sent; it stands at the prompt that returns, and a Ctrl-C clears it", async () => {
    const pty = open("meanwhile");
    await pty.start(`${node} console --conversation meanwhile -m sim/bad-gateway`);
    await pty.shows(/^>/m);
    await pty.keys("first", "Enter");
    await pty.shows(/attempt 4/);
    await pty.paste("one\ntwo\nthree");
    await pty.keys("C-c");
    await pty.shows(/Cancelled\n> one\n… two\n… three$/m);
    await pause(1200);
    await pty.keys("C-c");
    await pty.shows(/… three\n>$/m);
    expect(await asked("meanwhile")).toEqual(["first"]);
    await pause(1200);
    await pty.keys("C-c");
    await pty.shows(/left with 0/);
  }, 60_000);

  test("C4: two Ctrl-C within a second quit, whatever is typed, pasted or queued", async () => {
    const pty = open("twice");
    await pty.start(`${node} console --conversation twice -m sim/bad-gateway`);
    await pty.shows(/^>/m);
    await pty.keys("first", "Enter");
    await pause(400);
    await pty.keys("second", "Enter");
    await pause(400);
    await pty.paste("one\ntwo");
    await pty.shows(/attempt 4/);
    await pty.keys("C-c");
    await pause(400);
    await pty.keys("C-c");
    await pty.shows(/left with 0/);
    expect(await asked("twice")).toEqual(["first"]);
    const idle = open("idle");
    await idle.start(`${node} console -m sim/ok`);
    await idle.shows(/^>/m);
    await idle.paste("one\ntwo");
    await idle.keys("C-c", "C-c");
    await idle.shows(/left with 0/);
  }, 60_000);

  test("C4: a suspended console can be resumed, and pastes are still one message", async () => {
    const pty = open("suspend");
    await pty.start(`bash -i -c '${node} console --conversation suspend -m sim/ok-8; fg; true'`);
    await pty.shows(/^>/m);
    await pty.keys("C-z");
    await pause(1000);
    await pty.paste("one\ntwo");
    await pty.shows(/> one\n… two$/m);
    await pty.keys("Enter");
    await pty.shows(/… two\n(?:[^>…\n][^\n]*\n)+>$/m);
    expect(await asked("suspend")).toEqual(["one\ntwo"]);
  }, 60_000);

  test("C4: Ctrl-Z without job control changes nothing: pastes are still one message", async () => {
    const pty = open("no-shell");
    await pty.start(`${node} console --conversation no-shell -m sim/ok-8`);
    await pty.shows(/^>/m);
    await pty.keys("C-z");
    await pause(1000);
    await pty.paste("one\ntwo");
    await pty.shows(/> one\n… two$/m);
    await pty.keys("Enter");
    await pty.shows(/… two\n(?:[^>…\n][^\n]*\n)+>$/m);
    expect(await asked("no-shell")).toEqual(["one\ntwo"]);
  }, 60_000);

  test("C4: Ctrl-Z also suspends a program that has started the console and waits for it", async () => {
    const pty = new Pty("wrapped", terminals, { isPlain: true, env: { PS1: "shell> " } });
    await pty.start("bash --noprofile --norc -i");
    await pty.shows(/shell>/);
    await pty.keys(`sh -c '${node} console --conversation wrapped -m sim/ok; exit'`, "Enter");
    await pty.shows(/^> *$/m);
    await pty.paste("one\ntwo");
    await pty.shows(/> one\n… two$/m);
    await pty.keys("C-z");
    await pty.shows(/Stopped[\s\S]*shell>/);
    await pause(500);
    await pty.keys("fg", "Enter");
    const screen = await pty.shows(/shell> fg\n[^\n]+(?:\n[^\n]+)?\n> one\n… two\n*$/);
    expect(screen.split("> one\n")).toHaveLength(3);
    await pty.keys("C-c", "C-c");
    await pty.shows(/shell>\s*$/);
  }, 60_000);
});
