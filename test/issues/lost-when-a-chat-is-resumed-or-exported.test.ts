import { afterEach, expect, test } from "vitest";
import { ChatScreen, DOWN } from "../hosts/chat/chat-screen.ts";
import { ConsoleWorld, ScriptedInput } from "../hosts/console/console-world.ts";
import { says } from "../support/scripted-provider.ts";

const screens: ChatScreen[] = [];
afterEach(async () => {
  for (const screen of screens.splice(0)) await screen.close();
});

async function start(...script: Parameters<typeof ChatScreen.start>): Promise<ChatScreen> {
  const screen = await ChatScreen.start(...script);
  screens.push(screen);
  return screen;
}

test("S6: the tokens of a conversation continue to count when it is resumed", async () => {
  const screen = await start([says("one"), says("two")]);
  await screen.say("Hello");
  await screen.shows("one");
  const before = screen.chat.state.tokens;
  expect(before.input + before.output).toBeGreaterThan(0);
  await screen.chat.go(undefined);
  expect(screen.chat.state.tokens).toEqual({ input: 0, output: 0 });
  await screen.chat.go("c1");
  expect(screen.chat.state.tokens).toEqual(before);
  await screen.say("Again");
  await screen.shows("two");
  expect(screen.chat.state.tokens).toEqual({ input: 2 * before.input, output: 2 * before.output });
  expect(screen.chat.session.tokens).toEqual(screen.chat.state.tokens);
});

test("C7: /info of the console shows the tokens of the whole conversation, of earlier runs too", async () => {
  const world = new ConsoleWorld();
  world.provider("acme", says("one"), says("two"));
  await world.run(new ScriptedInput(["Hello", "/info"]));
  const [, input, output] = /Tokens {20}(\d+) in, (\d+) out/.exec(world.out) ?? [];
  expect(Number(input) + Number(output)).toBeGreaterThan(0);
  world.out = "";
  await world.run(new ScriptedInput(["/info", "Again", "/info"]));
  expect(world.out).toContain(`Tokens                    ${input} in, ${output} out`);
  expect(world.out).toContain(`Tokens                    ${2 * Number(input)} in, ${2 * Number(output)} out`);
});

test("S3: /export has the answers that failed, also of the conversation that is open", async () => {
  const screen = await start([DOWN, DOWN, DOWN, DOWN, says("fine")]);
  await screen.say("Hello");
  await screen.pass(60_000);
  await screen.shows("Retry failed after 3 attempts");
  await screen.say("Again");
  await screen.pass(60_000);
  await screen.shows("fine");
  await screen.say("/export talk.md");
  await screen.shows("Exported to talk.md");
  expect(screen.exported[0]?.[1]).toContain(
    "## You\n\nHello\n\n## Assistant\n\n_HTTP 503: down for a while_\n\n## You\n\nAgain\n\n## Assistant\n\nfine\n",
  );
});
