// biome-ignore-all lint/suspicious/noControlCharactersInRegex: colours are what this file looks for.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { Pty, useTerminals } from "../../support/pty.ts";
import { CLI } from "../../support/run-cli.ts";

const terminals = useTerminals();

const plainText = (screen: string): string => screen.replace(/\u001b\[[\d;]*m/g, "").replace(/ +$/gm, "");

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const node = `${process.execPath} ${CLI}`;

describe.concurrent("in a real terminal", () => {
  test("C4: the warning is yellow, Ctrl-C brings the prompt back at once, a second one quits, and the exchange is stored as failed", async () => {
    const pty = new Pty("console", terminals);
    await pty.start(`${node} console --conversation pty -m sim/bad-gateway`);
    await pty.shows(/sim\/bad-gateway\. Type a question[^\n]*\n>/);
    await pty.keys("Hello", "Enter");
    const warned = await pty.shows(/attempt 4/);
    expect(warned).toMatch(
      /\u001b\[33m⚠️? {1,2}API request failed \(502 Bad Gateway\), retrying in 5 seconds\.\.\. \(attempt 4\)/u,
    );
    // Yellow as well: said anew, or not ended since the line before.
    expect(warned).toMatch(/\(attempt 4\) *(?:\n|(?:\u001b\[39m)? *\n\u001b\[33m) {3}Press Ctrl-C to cancel/);
    const startMs = performance.now();
    await pty.keys("C-c");
    await pty.shows(/Cancelled\n(?:\u001b\[39m)?>/);
    expect(performance.now() - startMs).toBeLessThan(3000);
    await pty.keys("C-c");
    await pty.shows(/left with 0/);
    const store = await openStore({ path: join(terminals.home, "secondwind.db") });
    const entries = await store.conversations.read("pty");
    await store.close();
    expect(entries.map(({ data }) => data)).toMatchObject([
      { role: "user", content: "Hello" },
      { role: "assistant", stopReason: "error", errorMessage: expect.stringMatching(/^Cancelled: HTTP 502/) },
    ]);
  }, 60_000);

  test("B8: Enter during a wait retries now; a final error is soft red; NO_COLOR takes the colours away", async () => {
    const pty = new Pty("keys", terminals);
    await pty.start(`${node} console -m sim/bad-gateway@4`);
    await pty.shows(/^>/m);
    await pty.keys("echo: made it", "Enter");
    await pty.shows(/attempt 4/);
    const startMs = performance.now();
    await pty.keys("Enter");
    await pty.shows(/\n(?:\u001b\[39m)?made it/);
    expect(performance.now() - startMs).toBeLessThan(4000);
    await pty.keys("/model sim/forbidden", "Enter");
    await pty.shows(/^(?:\u001b\[39m)?sim\/forbidden/m);
    await pty.keys("Hello", "Enter");
    expect(await pty.shows(/403 Forbidden/)).toMatch(/\u001b\[91mAPI request failed \(403 Forbidden\)/);
    const plain = new Pty("plain", terminals);
    await plain.start(`env NO_COLOR=1 ${node} console -m sim/forbidden`);
    await plain.shows(/^>/m);
    await plain.keys("Hello", "Enter");
    expect(await plain.shows(/403 Forbidden/)).not.toMatch(/\u001b\[9?[13]\d?m/);
  }, 90_000);

  test("C4: what is typed during a wait stays out of the output and stands at the prompt that comes back", async () => {
    const pty = new Pty("ahead", terminals);
    await pty.start(`${node} console -m sim/bad-gateway`);
    await pty.shows(/^>/m);
    await pty.keys("Hello", "Enter");
    await pty.shows(/attempt 4/);
    await pty.keys("typed ahead");
    await pty.keys("C-c");
    const back = plainText(await pty.shows(/> typed ahead/));
    expect(back).toMatch(/\n {3}Press Ctrl-C to cancel\nCancelled\n> typed ahead\n/);
    // Ctrl-C takes back what is typed; the next one leaves, and what the shell says is on a line of its own. Two in a second leave.
    await pause(1100);
    await pty.keys("C-c");
    await pty.shows(/\n(?:\u001b\[39m)?> *\n/);
    await pause(1100);
    await pty.keys("C-c");
    expect(plainText(await pty.shows(/left with 0/))).toMatch(/\n>\s*\nleft with 0/);
  }, 60_000);

  test("C4: whole lines that were typed ahead are asked in their turn, and shown there", async () => {
    const pty = new Pty("lines", terminals);
    await pty.start(`${node} console -m sim/bad-gateway@3`);
    await pty.shows(/^>/m);
    await pty.keys("echo: one", "Enter");
    // Faster than this is a paste.
    await pause(400);
    await pty.keys("echo: two", "Enter");
    await pause(400);
    await pty.keys("half");
    expect(plainText(await pty.shows(/> half/))).toMatch(/> echo: one\none\n> echo: two\ntwo\n> half\n/);
  }, 60_000);

  test("C4: of two Ctrl-C in one go the first cancels and the second leaves; SIGTERM ends it with 130", async () => {
    const pty = new Pty("twice", terminals);
    await pty.start(`${node} console -m sim/bad-gateway`);
    await pty.shows(/^>/m);
    await pty.keys("Hello", "Enter");
    await pty.shows(/attempt 4/);
    await pty.keys("C-c", "C-c");
    expect(plainText(await pty.shows(/left with 0/))).toMatch(/Cancelled\nleft with 0/);
    const ended = new Pty("ended", terminals);
    await ended.start(`sh -c 'echo $$; exec ${node} console -m sim/ok'`);
    const pid = Number(/^\d+/.exec(await ended.shows(/^>/m))?.[0]);
    process.kill(pid, "SIGTERM");
    expect(plainText(await ended.shows(/left with/))).toMatch(/\n>\s*\nleft with 130/);
  }, 60_000);

  test("B8: ask counts down on the terminal, Enter retries now, Ctrl-C ends it with 130", async () => {
    const pty = new Pty("ask", terminals);
    await pty.start(`${node} ask -p patient -m sim/down hello`);
    const counted = await pty.shows(/retry 1 of 21 in [45] s {2}Enter: now, Ctrl-C: cancel/);
    expect(counted).toMatch(/\u001b\[33m503 Service Unavailable/);
    await pty.keys("Enter");
    await pty.shows(/retry 2 of 21/);
    await pty.keys("C-c");
    expect(await pty.shows(/left with 130/)).toContain("Cancelled after 2 attempts");
  }, 60_000);
});
