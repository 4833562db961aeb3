import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GatewayFile } from "../../src/hosts/serve/gateway/gateway-file.ts";
import { CLIENT_NAMES, snippetsFor } from "../../src/hosts/web/pages/connect/clients.ts";
import { type GatewayWorld, startGatewayWorld } from "./gateway-set-ups.ts";

const DOCUMENT = fileURLToPath(new URL("../../docs/gateway.md", import.meta.url));
const CACHES = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));
const ORIGIN = "http://127.0.0.1:4747";
const TEXT = "Blue light is scattered most.";

let world: GatewayWorld;
const folders: string[] = [];
// No jitter: the waits are as short as they can be.
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Every model fails once. */
async function start(): Promise<void> {
  world = await startGatewayWorld({ "*": ["overloaded", { do: "ok", text: TEXT }] });
  for (const variable of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"])
    vi.stubEnv(variable, "key-1");
}

/** Runs a set-up of the page and then some lines that use it; returns what they export as `answer`. */
async function runLines(setUp: string, use: string): Promise<unknown> {
  await mkdir(CACHES, { recursive: true });
  const folder = await mkdtemp(join(CACHES, "set-up-"));
  folders.push(folder);
  const file = join(folder, "set-up.mjs");
  await writeFile(file, `${setUp}\n${use}\n`);
  const { answer } = (await import(/* @vite-ignore */ file)) as { answer: unknown };
  return answer;
}

type Variables = Readonly<Record<string, string>>;

const hasCurl = spawnSync("curl", ["--version"]).error === undefined;

/** Runs a line of curl; where there is no curl, sends the request that it describes. */
async function runCurl(line: string, variables: Variables): Promise<string> {
  if (!hasCurl) return sendDescribed(line, variables);
  const child = spawn("sh", ["-c", line.replace("curl", "curl -s")], {
    env: { PATH: process.env.PATH ?? "", ...variables },
  });
  const ended = once(child, "close");
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  await ended;
  return output;
}

async function sendDescribed(line: string, variables: Variables): Promise<string> {
  const headers = [...line.matchAll(/-H (["'])(.+?): (.+?)\1/g)].map(([, , name = "", value = ""]) => [
    name,
    value.replace(/\$(\w+)/g, (_, variable: string) => variables[variable] ?? ""),
  ]);
  const [, url = ""] = /(http:[^\s']+)/.exec(line) ?? [];
  const [, body = ""] = /-d '(.+)'/.exec(line) ?? [];
  return (await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body })).text();
}

function typescriptOf(client: (typeof CLIENT_NAMES)[number]): string {
  const found = snippetsFor(client, world.origin).find(({ title }) => title === "TypeScript");
  if (found === undefined) throw new Error(`${client} has no set-up in TypeScript`);
  return found.text;
}

describe("the set-ups of the page", () => {
  const chat = `{ model: "gpt-5.4", messages: [{ role: "user", content: "?" }] }`;
  test.each([
    ["openai", `export const answer = (await client.chat.completions.create(${chat})).choices[0].message.content;`],
    [
      "anthropic",
      `const request = { model: "claude-sonnet-5-5", max_tokens: 9, messages: [{ role: "user", content: "?" }] };
       export const answer = (await client.messages.create(request)).content[0].text;`,
    ],
    [
      "google",
      `const request = { model: "gemini-flash-latest", contents: "?" };
       export const answer = (await client.models.generateContent(request)).text;`,
    ],
    ["langchain", `export const answer = (await model.invoke("?")).content;`],
    [
      "ai-sdk",
      `import { generateText } from "ai";
       const models = [openai("gpt-5.4"), anthropic("claude-sonnet-5-5"), google("gemini-flash-latest")];
       const texts = [];
       for (const model of models) texts.push((await generateText({ model, prompt: "?", maxRetries: 0 })).text);
       export const answer = texts.every((text) => text === texts[0]) ? texts[0] : texts;`,
    ],
  ] as const)("run, and the gateway makes the second attempt: %s", async (client, use) => {
    await start();
    expect(await runLines(typescriptOf(client), use)).toBe(TEXT);
    const statuses = world.sim.requests.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(statuses.length / 2);
    expect(new Set(world.sim.requests.map(({ key }) => key))).toEqual(new Set(["key-1"]));
    await world.close();
  });

  test("run in a shell: curl, in all three formats", async () => {
    await start();
    const keys = { OPENAI_API_KEY: "key-1", ANTHROPIC_API_KEY: "key-1", GEMINI_API_KEY: "key-1" };
    for (const { title, text } of snippetsFor("curl", world.origin)) {
      const output = await runCurl(text, keys);
      expect(output, title).toContain("data: ");
      expect(output, title).not.toContain("error");
    }
    expect(world.sim.requests.map(({ key }) => key)).toEqual(Array.from({ length: 6 }, () => "key-1"));
    await world.close();
  });

  test("all stand in docs/gateway.md, word by word, unless an example has the same in full", async () => {
    const document = await readFile(DOCUMENT, "utf8");
    for (const client of CLIENT_NAMES)
      for (const { title, text } of snippetsFor(client, ORIGIN))
        if (title !== "TypeScript") expect(document, `${client} ${title}`).toContain(text);
  });

  test("name only the server that they are made for", () => {
    for (const client of CLIENT_NAMES)
      for (const { text } of snippetsFor(client, "https://wind.example.com")) {
        expect(text).toContain("https://wind.example.com");
        expect(text).not.toContain("127.0.0.1");
      }
  });
});

describe("docs/gateway.md", () => {
  test("shows only files gateway.json that the server accepts", async () => {
    const document = await readFile(DOCUMENT, "utf8");
    const files = [...document.matchAll(/^```json\n(\{.*?^\})\n```$/gms)]
      .map(([, text = ""]) => text)
      .filter((text) => /"(?:endpoints|aliases)"/.test(text));
    expect(files.length).toBeGreaterThan(0);
    const folder = await mkdtemp(join(tmpdir(), "secondwind-docs-"));
    folders.push(folder);
    for (const text of files) {
      const path = join(folder, "gateway.json");
      await writeFile(path, text);
      const file = new GatewayFile(path, { keysFor: () => ["key-1"], say: () => undefined });
      expect(() => file.read()).not.toThrow();
    }
  });
});
