import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shortId } from "../../../src/session/record/choose-conversation.ts";
import { openStore } from "../../../src/store/index.ts";
import { Pty, useTerminals } from "../../support/pty.ts";
import { CLI } from "../../support/run-cli.ts";
import { until } from "../../support/until.ts";

const chat = `'${process.execPath}' '${CLI}' chat`;
/** The environment of a build server. */
const BUILD_SERVER = { CI: "true", CONTINUOUS_INTEGRATION: "1" };

const terminals = useTerminals();

async function start(name: string, command: string, env: Readonly<Record<string, string>> = {}): Promise<Pty> {
  const pty = new Pty(name, terminals, { isPlain: true, env });
  await pty.start(command);
  return pty;
}

const exitOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

describe("chat in a real terminal", () => {
  test("S10: chat answers, even in the environment of a build server, and resumes a conversation", async () => {
    const first = await start("first", `${chat} --continue -m sim/ok`, BUILD_SERVER);
    await first.shows(/No saved conversations; this is a new one\./);
    await first.keys("echo: made it", "Enter");
    await first.shows(/❯ echo: made it\n\nmade it\n\n❯\s*\nsim\/ok · ok/);
    await first.keys("/quit", "Enter");
    const left = await first.shows(/left with 0/);
    const [, id = ""] = /secondwind chat --session (\S+)\n/.exec(left) ?? [];
    expect(id).not.toBe("");
    // The short id, as lists show it.
    const again = await start("again", `${chat} --session ${shortId(id)}`);
    await again.shows(/\nmade it\n/);
    await again.keys("C-d");
    await again.shows(/left with 0/);
    const nobody = await start("nobody", `${chat} --session nobody`);
    await nobody.shows(/--session must be the id of an existing conversation; got "nobody"\s+left with 2/);
  }, 120_000);

  test("S10: chat rejects a terminal that can't move the cursor", async () => {
    const dumb = await start("dumb", chat, { TERM: "dumb" });
    expect(await dumb.shows(/left with 2/)).toContain("chat needs a terminal");
  }, 60_000);

  test("S10: when the terminal hangs up, chat saves the partial answer and exits without a core dump", async () => {
    const pty = await start("gone", `${chat} -m sim/ok-600`);
    await pty.shows(/Type a message/);
    await pty.keys("Tell me", "Enter");
    await pty.shows(/❯ Tell me\n\n(?:\S+ ){5}/);
    await pty.hangUp();
    await until(() => exitOf(pty.exitFile) !== "", 20_000);
    // Ended by the hang-up itself: 128 + 1.
    expect(exitOf(pty.exitFile)).toBe("left with 129\n");
    const store = await openStore({ path: join(terminals.home, "secondwind.db") });
    const [newest] = await store.conversations.list({ limit: 1 });
    const entries = await store.conversations.read(newest?.id ?? "");
    await store.close();
    expect(entries.map(({ data }) => data)).toMatchObject([
      { role: "user", content: "Tell me" },
      { role: "assistant", stopReason: "aborted", parts: [{ type: "text", text: expect.stringMatching(/\S+ \S+/) }] },
    ]);
  }, 60_000);
});
