import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { serveRpc } from "../../../src/hosts/rpc/serve-rpc.ts";
import type { AgentSession } from "../../../src/session/index.ts";
import { SessionWorld } from "../../session/sessions.ts";
import { says } from "../../support/scripted-provider.ts";

type Line = Readonly<Record<string, unknown>>;

class Output extends EventEmitter {
  readonly lines: Line[] = [];

  write(chunk: string): boolean {
    this.lines.push(JSON.parse(chunk) as Line);
    return true;
  }
}

async function* saying(...commands: readonly unknown[]): AsyncGenerator<string> {
  for (const command of commands) yield `${JSON.stringify(command)}\n`;
}

function serve(session: AgentSession, input: AsyncIterable<unknown>): { output: Output; ended: Promise<void> } {
  const output = new Output();
  return { output, ended: serveRpc({ session, redact: (value) => value, input, output }) };
}

describe("serving a session", () => {
  test("S9: stores a prompt first, then acknowledges it, then starts it", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    world.conversations.gate = () => opened;
    const commands = [1, 2].map((id) => ({ id, type: "prompt", message: `Hello ${id}` }));
    const { output, ended } = serve(session, saying(...commands, { id: 3, type: "steer", message: "and?" }));
    await world.time.advance(1000);
    expect(output.lines).toEqual([]);
    open();
    await world.time.until(ended);
    const heads = output.lines.map(({ id, type, success }) => (type === "response" ? [id, success] : type));
    expect(heads[0]).toEqual([1, true]);
    expect(heads[1]).toBe("agent_start");
    expect(heads).toContainEqual([2, true]);
    expect(heads.findIndex((head) => head?.toString() === "3,true")).toBeLessThan(heads.indexOf("steering"));
  });

  test("S9: rejects commands while the session closes", async () => {
    const world = new SessionWorld();
    world.provider("acme", [[{ type: "pause", ms: 1_000_000 }, ...says("never")]]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    const closed = session.close();
    const { output, ended } = serve(
      session,
      saying({ id: 1, type: "prompt", message: "More" }, { id: 2, type: "steer", message: "Look" }),
    );
    await world.time.until(Promise.all([ended, closed, prompt]));
    expect(output.lines.filter(({ type }) => type === "response")).toEqual([
      { id: 1, type: "response", command: "prompt", success: false, error: "The session is closed" },
      {
        id: 2,
        type: "response",
        command: "steer",
        success: false,
        error: expect.stringContaining("No prompt is running"),
      },
    ]);
    expect(JSON.stringify(world.kept())).not.toContain("More");
  });

  test("S9: responds to every command, even a slow one, before the service ends", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    let write: () => void = () => undefined;
    const settings = {
      read: async () => ({}),
      write: () =>
        new Promise<void>((resolve) => {
          write = resolve;
        }),
    };
    const session = await world.open({}, { settings });
    const { output, ended } = serve(session, saying({ id: 1, type: "set_auto_retry", enabled: false }));
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await world.time.advance(100);
    expect(isOver).toBe(false);
    write();
    await world.time.until(ended);
    expect(output.lines).toEqual([{ id: 1, type: "response", command: "set_auto_retry", success: true }]);
  });

  test("S9: a broken input is an error, unless the output was closed", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there"), says("there")]);
    async function* breakingOff(before: () => void): AsyncGenerator<string> {
      yield '{"type":"prompt","message":"Hello"}\n';
      before();
      throw new Error("cut");
    }
    const heard = serve(
      await world.open(),
      breakingOff(() => undefined),
    );
    await expect(heard.ended).rejects.toThrow("cut");
    const session = await world.open({ conversationId: "unheard" });
    const unheard = serve(
      session,
      breakingOff(() => unheard.output.emit("error")),
    );
    await world.time.until(unheard.ended);
    expect(session.messages).toMatchObject([{ content: "Hello" }, { role: "assistant" }]);
  });
});
