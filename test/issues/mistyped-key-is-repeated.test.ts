import { expect, test } from "vitest";
import { InvalidInput } from "../../src/kernel/index.ts";
import { sayInvalid, shownWord } from "../../src/terminal/index.ts";
import { ChatScreen } from "../hosts/chat/chat-screen.ts";
import { ConsoleWorld, ScriptedInput } from "../hosts/console/console-world.ts";
import { says } from "../support/scripted-provider.ts";

const KEYS = [
  "sk-abc",
  "sk-ant-api03-Zz0",
  "AIzaSyA12345",
  "0123456789abcdef",
  "xoxb-secret",
  "Zm9vYmFyYmF6",
  "hunter2",
];
const LINES = KEYS.flatMap((key) => [
  `/keyy ${key}`,
  `/keys ${key}`,
  `/${key}`,
  `/model ${key}`,
  `/config ${key}`,
  `/config ${key} 5`,
  `/config api_retry_max_delay ${key}`,
  `/config api_circuit_breaker ${key}`,
  `/quitt ${key}`,
]);

test("E17: no message of a console command repeats a key that was typed in the wrong place", async () => {
  const world = new ConsoleWorld();
  world.provider("acme", says("Yes."));
  await world.run(new ScriptedInput(LINES));
  for (const key of KEYS) expect(`${world.out}${world.err}`).not.toContain(key);
  expect(world.err).toContain("command must be one of /help");
  expect(world.err).toContain("model must be provider/model");
});

test("E17: harmless words are still named in messages of the console", async () => {
  const world = new ConsoleWorld();
  world.provider("acme", says("Yes."));
  await world.run(
    new ScriptedInput(["/inof", "/model acmee/large", "/config api_retry_max_delay 9999", "/config retry.enabld"]),
  );
  expect(world.err).toContain('got "/inof"');
  expect(world.err).toContain('got "acmee/large"');
  expect(world.err).toContain("got 9999");
  expect(world.err).toContain('got "retry.enabld"');
});

test("E17: no message of a chat command repeats a key that was typed in the wrong place", async () => {
  const screen = await ChatScreen.start();
  for (const key of KEYS) {
    for (const line of [
      `/${key}`,
      `/keyy ${key}`,
      `/model ${key}`,
      `/config ${key}`,
      `/sessions ${key}`,
      `/retry ${key}`,
    ]) {
      screen.chat.submit(line);
    }
  }
  await screen.shows("Usage: /retry");
  const said = screen.chat.state.items.map((item) => ("text" in item ? item.text : "")).join("\n");
  for (const key of KEYS) expect(said).not.toContain(key);
  expect(said).toContain("Unknown command: /keyy. Commands");
  await screen.close();
});

test("E17: a word is hidden if it could be a key, and a setting, a model or a number is not", () => {
  for (const key of KEYS) expect(shownWord(key)).toBe("[hidden]");
  for (const word of [
    "/inof",
    "retry.enabld",
    "openai/gpt-5",
    "opnai/gpt-5.4-mini",
    "9999",
    "-1",
    "maxRetries",
    "--jsn",
  ]) {
    expect(shownWord(word)).toBe(word);
  }
  expect(sayInvalid(new InvalidInput("model", "sk-abc", "provider/model"))).toBe("model must be provider/model");
  expect(sayInvalid(new InvalidInput("value", {}, "a number"))).toBe("value must be a number; got an object");
});
