import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTools } from "../../../src/session/index.ts";
import { calls, emits, says } from "../../support/scripted-provider.ts";
import { SessionWorld } from "../sessions.ts";

let folder: string;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondwind-tools-"));
  root = join(folder, "work");
  await mkdir(join(root, "inner/.git"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "a secret needle");
  await writeFile(join(root, "a.txt"), "one\nTwo needles\nthree\n");
  await writeFile(join(root, "inner/b.txt"), "needle\n");
  await writeFile(join(root, "inner/.git/c.txt"), "needle\n");
  await writeFile(join(root, "bytes.bin"), Buffer.from([110, 0, 1, 2]));
  await writeFile(join(root, "big.txt"), "x".repeat(2 * 1024 * 1024));
  await symlink(join(folder, "secret.txt"), join(root, "way-out.txt"));
  await symlink(folder, join(root, "way-out"));
  await symlink(join(root, "a.txt"), join(root, "inner/way-in.txt"));
  await symlink(root, join(root, "inner/circle"));
  execFileSync("mkfifo", [join(root, "pipe")]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("S6: provider data of a tool call is stored and sent back with it", async () => {
  const world = new SessionWorld();
  const call = { type: "tool-call", id: "a", name: "list", arguments: {}, providerData: { signature: "abc" } } as const;
  const provider = world.provider("acme", [[call, { type: "finish", reason: "tool-use" }], says("There.")]);
  const session = await world.open({}, { tools: createTools(root) });
  await session.prompt("What is here?");
  expect(provider.requests[1]?.messages[1]).toMatchObject({ parts: [call] });
  expect(world.kept("message")[1]?.data).toMatchObject({ parts: [call] });
});

async function use(name: string, args: Record<string, unknown>): Promise<string> {
  const tool = createTools(root).find(({ spec }) => spec.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.run(args, {
    toolCallId: "a",
    signal: new AbortController().signal,
    ask: ({ prompt }) => Promise.resolve(`asked: ${prompt}`),
  });
}

describe("the built-in tools", () => {
  test("S9: list, read and search look at the working folder", async () => {
    expect(await use("list", {})).toBe("a.txt\nbig.txt\nbytes.bin\ninner/\npipe\nway-out\nway-out.txt");
    expect(await use("read", { path: "a.txt" })).toBe("one\nTwo needles\nthree\n");
    const second = await use("read", { path: "a.txt", firstLine: 2, lines: 1 });
    expect(second).toBe("Two needles\n… (more lines follow; continue with firstLine 3)");
    expect(await use("read", { path: "inner/way-in.txt" })).toContain("one");
    const leftOut = "… (1 line was searched in the first 1048576 characters only)";
    expect(await use("search", { text: "NEEDLE" })).toBe(`a.txt:2: Two needles\ninner/b.txt:1: needle\n${leftOut}`);
    expect(await use("search", { text: "nowhere to be seen", path: "inner" })).toBe("Not found");
    expect(await use("ask", { question: "Why?" })).toBe("asked: Why?");
  });

  test.each([
    ["../secret.txt", /must not contain "\.\."/],
    ["inner/../../secret.txt", /must not contain "\.\."/],
    ["..\\secret.txt", /must not contain "\.\."/],
    ["/etc/passwd", /outside the working folder/],
    ["way-out.txt", /outside the working folder/],
    ["way-out/secret.txt", /outside the working folder/],
    ["a\0.txt", /NUL/],
    ["missing.txt", /There is no/],
    ["bytes.bin", /binary/],
    ["pipe", /not a file/],
    ["inner", /not a file/],
    ["a.txt/b.txt", /There is no/],
  ])("S9: reading %j is refused", async (path, message) => {
    await expect(use("read", { path })).rejects.toThrow(message);
  });

  test("S9: what is no folder can't be listed", async () => {
    await expect(use("list", { path: "a.txt" })).rejects.toThrow('"a.txt" is not a folder');
  });

  test("S9: a large file is cut, and the result mentions it", async () => {
    const text = await use("read", { path: "big.txt" });
    expect(text.length).toBeLessThan(110_000);
    expect(text).toContain("more lines follow");
  });

  test("S9: invalid arguments throw and name what is wrong", async () => {
    await expect(use("read", { path: 5 })).rejects.toThrow(/Invalid arguments.*path/s);
    await expect(use("search", { text: "" })).rejects.toThrow(/Invalid arguments/);
  });

  test("C11: two questions retry side by side, each under its own name, and nothing is mixed up", async () => {
    const world = new SessionWorld();
    world.settings = { fallbackChains: { small: ["mini/one"] } };
    world.provider("acme", [
      calls(["a", "ask", { question: "left", role: "small" }], ["b", "ask", { question: "right", role: "small" }]),
      says("both done"),
    ]);
    const mini = world.provider("mini", [
      ({ messages }) => {
        const { content } = messages[0] as { content: string };
        const seen = mini.requests.filter(
          ({ messages: [first] }) => (first as { content: string }).content === content,
        );
        return seen.length <= (content === "left" ? 2 : 1)
          ? emits(503, `busy for ${content}`)
          : says(`it is ${content}`);
      },
    ]);
    const session = await world.open({}, { tools: createTools(root) });
    const prompt = session.prompt("Look both ways");
    await world.time.advance(100);
    expect([session.isRetrying, session.retryAttempt]).toEqual([true, 1]);
    await world.time.until(prompt);
    expect(session.messages.filter(({ role }) => role === "tool")).toMatchObject([
      { toolCallId: "a", content: "it is left" },
      { toolCallId: "b", content: "it is right" },
    ]);
    const starts = world.event("auto_retry_start");
    expect(starts.filter(({ origin }) => origin === "a").map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(starts.filter(({ origin }) => origin === "b").map(({ attempt }) => attempt)).toEqual([1]);
    for (const { origin, errorMessage } of starts)
      expect(errorMessage).toBe(`busy for ${origin === "a" ? "left" : "right"}`);
    expect(world.time.nowMs).toBe(6000);
    expect(world.kept("message")).toHaveLength(5);
  });
});
