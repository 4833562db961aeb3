import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Pty, useTerminals } from "../support/pty.ts";
import { CLI } from "../support/run-cli.ts";

const home = mkdtempSync(join(tmpdir(), "secondwind-extensions-"));
const terminals = useTerminals();
afterAll(() => rmSync(home, { recursive: true, force: true }));

const flags = (...names: readonly string[]): string[] => names.flatMap((name) => ["--extension", join(home, name)]);

const FILES = {
  "good.js": `export default ({ addCommand }) => {
    addCommand({ name: "shout", description: "says it louder", run: (args) => args.toUpperCase() + "!" });
    addCommand({ name: "hang", description: "never ends", run: () => new Promise(() => {}) });
  };`,
  "throws.js": 'export default () => { throw new Error("bad day"); };',
  "hangs.js": "await new Promise(() => {}); export default () => {};",
  "late.js": 'export default ({ warn }) => { setTimeout(() => warn("a late word"), 2500); };',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(home, name), text);
});

describe("extensions in a terminal", () => {
  test("S7: console names what was not loaded before the prompt, and shows the prompt again after a later warning", async () => {
    const pty = new Pty("late", terminals, { isPlain: true });
    const names = flags("throws.js", "missing.js", "late.js").join(" ");
    await pty.start(`'${process.execPath}' '${CLI}' console -m sim/ok ${names}`);
    const start = await pty.shows(/^>/m);
    const before = start.slice(0, start.indexOf("Type a question"));
    expect(before).toContain("bad day");
    expect(before).toContain("can't be read");
    expect(start).toMatch(/Ctrl-C quits\.\s+> *\s*$/);
    await pty.keys("draft");
    await pty.shows(/Ctrl-C quits\.\n[^>]*a late word\n> draft/);
    await pty.keys("C-c");
    await pty.keys("/quit", "Enter");
    await pty.shows(/left with 0/);
  }, 60_000);

  test("S7: chat shows that it loads an extension that takes long", async () => {
    const pty = new Pty("slow", terminals, { isPlain: true });
    await pty.start(`'${process.execPath}' '${CLI}' chat -m sim/ok ${flags("hangs.js").join(" ")}`);
    await pty.shows(/^Loading extensions…/m);
    await pty.shows(/hangs\.js was\s+not\s+loaded/);
    await pty.keys("/quit", "Enter");
    expect(await pty.shows(/left with 0/)).not.toContain("Loading");
  }, 60_000);

  test("S7: chat runs their commands, lists them in its help, and names what was not loaded", async () => {
    const pty = new Pty("extensions", terminals, { isPlain: true });
    await pty.start(`'${process.execPath}' '${CLI}' chat -m sim/ok ${flags("good.js", "throws.js").join(" ")}`);
    await pty.shows(/throws\.js was\s+not\s+loaded: bad day/);
    // Shown, then gone from the prompt: two lines that arrive in one read are taken for a paste.
    await pty.keys("/hang");
    await pty.shows(/^❯ \/hang *$/m);
    await pty.keys("Enter");
    await pty.shows(/^❯ *$/m);
    await pty.keys("/shout hi there", "Enter");
    await pty.shows(/HI THERE!/);
    await pty.keys("/help", "Enter");
    await pty.shows(/\/shout says it louder/);
    await pty.keys("/quit", "Enter");
    await pty.shows(/left with 0/);
  }, 60_000);
});
