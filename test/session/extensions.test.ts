import { describe, expect, test } from "vitest";
import type { Extension, ExtensionApi, ExtensionSource, SessionParts } from "../../src/session/index.ts";
import type { Tool } from "../../src/turn/index.ts";
import { SESSION_EVENT_TYPES } from "../../src/wire/index.ts";
import { says } from "../support/scripted-provider.ts";
import { SessionWorld } from "./sessions.ts";

const source = (name: string, extension: unknown): ExtensionSource => ({ name, open: async () => extension });
const forever = new Promise<never>(() => undefined);

function worldWith(script: Parameters<SessionWorld["provider"]>[1], ...extensions: readonly ExtensionSource[]) {
  const world = new SessionWorld();
  const provider = world.provider("acme", script);
  const open = (changes: Partial<SessionParts> = {}) => world.time.until(world.open({}, { extensions, ...changes }));
  return { world, provider, open };
}

const warnings = (world: SessionWorld): string[] => world.event("warning").map(({ message }) => message);
const calls = (name: string, args: object = {}) =>
  [
    { type: "tool-call", id: "t1", name, arguments: args },
    { type: "finish", reason: "tool-use" },
  ] as never;
const down = { type: "error", status: 503, message: "HTTP 503: busy", retryable: true } as const;

describe("an extension", () => {
  test("S7: hears the session's events by name, and its listeners go with the session", async () => {
    const heard: unknown[] = [];
    const extension: Extension = ({ on }) => {
      on("auto_retry_start", ({ attempt, delayMs }) => heard.push(["start", attempt, delayMs]));
      on("auto_retry_end", ({ success }) => heard.push(["end", success]));
      const leave = on("agent_end", ({ status }) => {
        heard.push(status);
        leave();
      });
      return () => heard.push("unloaded");
    };
    const { world, open } = worldWith([[down], says("there"), says("again")], source("mine.js", extension));
    const session = await open();
    await world.time.until(session.prompt("Hello"));
    await world.time.until(session.prompt("Hello"));
    expect(heard).toEqual([["start", 1, 2000], ["end", true], "done"]);
    await Promise.all([session.close(), session.close()]);
    expect(heard.at(-1)).toBe("unloaded");
    expect(heard).toHaveLength(4);
    expect(warnings(world)).toEqual([]);
  });

  test("S7: adds tools that the model can call", async () => {
    const extension: Extension = ({ addTool }) => {
      addTool({
        name: "add",
        description: "Adds two numbers",
        parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
        run: ({ a, b }) => String(Number(a) + Number(b)),
      });
      addTool({ name: "broken", description: "Fails", run: () => Promise.reject(new Error("no luck")) });
      addTool({ name: "odd", description: "Returns a number", run: () => 7 as never });
    };
    const { world, provider, open } = worldWith(
      [calls("add", { a: 1, b: 2 }), calls("broken"), calls("odd"), says("done")],
      source("mine.js", extension),
    );
    const session = await open();
    expect(await world.time.until(session.prompt("Hello"))).toEqual({ status: "done" });
    expect(provider.requests[0]?.tools?.map(({ name }) => name)).toEqual(["add", "broken", "odd"]);
    const results = world.event("tool_end").map(({ content, isError }) => [content, isError]);
    expect(results).toEqual([
      ["3", false],
      ["no luck", true],
      ["the result of odd must be a text; got 7", true],
    ]);
  });

  test("S7: adds slash commands, whose faults have a name", async () => {
    const extension: Extension = ({ addCommand, session }) => {
      addCommand({ name: "shout", description: "Says it louder", run: (args) => `${args.toUpperCase()}!` });
      addCommand({ name: "model", description: "Shows the model", run: () => session.model });
      addCommand({ name: "quiet", description: "Nothing", run: () => undefined });
      addCommand({
        name: "fail",
        description: "Fails",
        run: () => {
          throw new Error("no luck");
        },
      });
      addCommand({ name: "hang", description: "Hangs", run: () => forever });
    };
    const { open } = worldWith([], source("mine.js", extension));
    const session = await open();
    expect(session.commands[0]).toEqual({ name: "shout", description: "Says it louder" });
    expect(await session.runCommand("shout", "hello there")).toBe("HELLO THERE!");
    expect(await session.runCommand("model")).toBe("acme/large");
    expect(await session.runCommand("quiet")).toBe("");
    await expect(session.runCommand("fail")).rejects.toThrow("Extension mine.js: /fail: no luck");
    await expect(session.runCommand("nope")).rejects.toThrow("command must be one of shout, model");
    const controller = new AbortController();
    const hanging = session.runCommand("hang", "", controller.signal);
    controller.abort();
    await expect(hanging).rejects.toThrow("Extension mine.js: /hang: cancelled");
    const other = session.runCommand("hang");
    await Promise.all([session.close(), expect(other).rejects.toThrow("cancelled")]);
  });

  test("S7: acts on the session with functions that need no object", async () => {
    let kept: ExtensionApi["session"] | undefined;
    const extension: Extension = ({ session, on }) => {
      const { retryNow, abortRetry, prompt, abort, steer } = session;
      kept = session;
      on("auto_retry_start", () => retryNow());
      on("message_discard", () => void [abortRetry, prompt, abort, steer]);
    };
    const { world, open } = worldWith([[down], says("there")], source("mine.js", extension));
    const session = await open();
    await world.time.until(session.prompt("Hello"));
    expect(world.time.nowMs).toBe(0);
    expect(kept?.messages).toEqual(session.messages);
    expect(await world.time.until(kept?.prompt("again") ?? Promise.resolve(undefined))).toBeDefined();
  });
});

describe("a broken extension", () => {
  test("S7: one that is missing, throws, hangs or exports nothing is named and not loaded, and the session goes on", async () => {
    const started: string[] = [];
    const { world, open } = worldWith(
      [says("there")],
      { name: "missing.js", open: () => Promise.reject(new Error("the file does not exist")) },
      { name: "hanging-import.js", open: () => forever },
      source("no-function.js", { nonsense: true }),
      source("throws.js", () => {
        throw new Error("bad day");
      }),
      source("rejects.js", async () => Promise.reject(new Error("bad night"))),
      source("hangs.js", ({ addTool }: ExtensionApi) => {
        addTool({ name: "never", description: "d", run: () => "" });
        return forever;
      }),
      source("wrong-result.js", () => 5),
      source("wrong-tool.js", ({ addTool }: ExtensionApi) => addTool({ name: "a b", description: "d", run: () => "" })),
      source("wrong-event.js", ({ on }: ExtensionApi) => void on("auto_retry_begin" as never, () => undefined)),
      source("throws-nothing.js", () => Promise.reject(undefined)),
      source("good.js", ({ on }: ExtensionApi) => void on("agent_start", () => started.push("good"))),
    );
    const session = await open();
    expect(world.time.nowMs).toBe(5000);
    expect(await world.time.until(session.prompt("Hello"))).toEqual({ status: "done" });
    expect(started).toEqual(["good"]);
    expect(warnings(world).sort()).toEqual(
      [
        "Extension missing.js was not loaded: the file does not exist",
        "Extension hanging-import.js was not loaded: took longer than 5 s",
        "Extension no-function.js was not loaded: its default export must be a function; got an object",
        "Extension throws.js was not loaded: bad day",
        "Extension rejects.js was not loaded: bad night",
        "Extension hangs.js was not loaded: took longer than 5 s",
        "Extension wrong-result.js was not loaded: the result of its function must be a function; got 5",
        'Extension wrong-tool.js was not loaded: tool.name must be 1 to 64 letters, digits, _ and -; got "a b"',
        `Extension wrong-event.js was not loaded: event must be one of ${SESSION_EVENT_TYPES.join(", ")}; got "auto_retry_begin"`,
        "Extension throws-nothing.js was not loaded: undefined",
      ].sort(),
    );
    expect(world.event("warning").every(({ code }) => code === "extension")).toBe(true);
    expect(session.commands).toEqual([]);
    await session.close();
  });

  test("S7: a listener that throws or rejects is reported and removed after three faults; one that hangs delays nothing", async () => {
    let count = 0;
    const { world, open } = worldWith(
      Array.from({ length: 5 }, () => says("there")),
      source("mine.js", ({ on }: ExtensionApi) => {
        on("agent_start", () => {
          count++;
          throw new Error("bad listener");
        });
        on("agent_end", async () => Promise.reject(new Error("bad promise")));
        on("message_end", () => forever);
        on("warning", () => {
          throw new Error("bad warning");
        });
      }),
    );
    const session = await open();
    for (let i = 0; i < 5; i++) expect(await world.time.until(session.prompt("Hello"))).toEqual({ status: "done" });
    expect(count).toBe(3);
    expect(warnings(world).filter((message) => message.includes("bad listener"))).toHaveLength(3);
    expect(warnings(world)).toContain("Extension mine.js: its listener of agent_start was removed after 3 faults");
    expect(warnings(world)).toContain("Extension mine.js: its listener of warning was removed after 3 faults");
    expect(warnings(world).filter((message) => message.includes("bad promise"))).toHaveLength(3);
    await session.close();
  });

  test("S7: a name that is taken is skipped and reported, the rest of the extension stays", async () => {
    const read: Tool = { spec: { name: "read", description: "d", parameters: {} }, run: () => "built in" };
    const both = ({ addTool, addCommand }: ExtensionApi): void => {
      for (const name of ["read", "mine"]) addTool({ name, description: "d", run: () => "" });
      for (const name of ["help", "mine"]) addCommand({ name, description: "d", run: () => "" });
    };
    const { world, provider, open } = worldWith([says("there")], source("one.js", both), source("two.js", both));
    const session = await open({ tools: [read], commandNames: ["help"] });
    await world.time.until(session.prompt("Hello"));
    expect(provider.requests[0]?.tools?.map(({ name }) => name)).toEqual(["read", "mine"]);
    expect(session.commands).toEqual([{ name: "mine", description: "d" }]);
    expect(warnings(world)).toEqual([
      "Extension one.js: its tool read was skipped: the name is taken",
      "Extension two.js: its tool read was skipped: the name is taken",
      "Extension two.js: its tool mine was skipped: the name is taken",
      "Extension one.js: its command /help was skipped: the name is taken",
      "Extension two.js: its command /help was skipped: the name is taken",
      "Extension two.js: its command /mine was skipped: the name is taken",
    ]);
  });

  test("S7: an unload function that throws or hangs is reported, and closing takes two seconds at most", async () => {
    const { world, open } = worldWith(
      [],
      source("throws.js", () => () => {
        throw new Error("bad end");
      }),
      source("hangs.js", () => () => forever),
    );
    const session = await open();
    const leave = session.subscribe(() => undefined);
    await world.time.until(session.close());
    leave();
    expect(world.time.nowMs).toBe(2000);
    expect(warnings(world)).toEqual([
      "Extension throws.js: unload: bad end",
      "Extension hangs.js: unload: took longer than 2 s",
    ]);
  });

  test("S7: one that was not loaded because it was slow is still unloaded when its function returns", async () => {
    let finish = (): void => undefined;
    const heard: string[] = [];
    const slow = async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return () => heard.push("unloaded");
    };
    const { world, open } = worldWith([says("there")], source("slow.js", slow));
    const session = await open();
    expect(heard).toEqual([]);
    finish();
    await world.time.until(session.close());
    expect(heard).toEqual(["unloaded"]);
  });

  test("S7: nothing of it works after it was unloaded or rejected", async () => {
    let api: ExtensionApi | undefined;
    const heard: unknown[] = [];
    const { world, open } = worldWith(
      [says("there")],
      source("late.js", (given: ExtensionApi) => {
        api = given;
        given.on("agent_start", () => heard.push("start"));
        return forever;
      }),
    );
    const session = await open();
    await world.time.until(session.prompt("Hello"));
    expect(heard).toEqual([]);
    expect(() => api?.on("agent_start", () => undefined)).toThrow("The extension is unloaded");
    expect(() => api?.addTool({ name: "a", description: "d", run: () => "" })).toThrow(
      "only while the extension loads",
    );
    api?.warn("still here");
    await session.close();
    expect(warnings(world)).toEqual(["Extension late.js was not loaded: took longer than 5 s"]);
  });

  test("S7: a message and a fault of an extension pass the redactor", async () => {
    const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("sk-1", "[key]"));
    const { world, open } = worldWith(
      [],
      source("mine.js", ({ warn, addCommand }: ExtensionApi) => {
        warn("the key is sk-1");
        addCommand({ name: "leak", description: "d", run: () => "sk-1" });
      }),
    );
    const session = await open({ redact });
    expect(await session.runCommand("leak")).toBe("[key]");
    await session.whenIdle();
    expect(warnings(world)).toEqual(["mine.js: the key is [key]"]);
  });
});
