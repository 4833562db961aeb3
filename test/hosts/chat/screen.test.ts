import { afterEach, describe, expect, test } from "vitest";
import { calls, emits, type Piece, partly, says } from "../../support/scripted-provider.ts";
import { until } from "../../support/until.ts";
import { ChatScreen, DOWN, ENTER, ESC } from "./chat-screen.ts";

let screen: ChatScreen;
afterEach(() => screen.close());

describe("the chat on a terminal", () => {
  test("S10: shows a question and its answer, with the cursor in the input", async () => {
    screen = await ChatScreen.start([says("# Hi\n\nI am **here**.")]);
    await screen.say("Hello");
    await screen.shows("I am here.");
    await screen.hides("Working");
    expect(screen.lines()).toEqual([
      "❯ Hello",
      "",
      "Hi",
      "",
      "I am here.",
      "",
      "❯",
      "acme/large · ok · 10 in, 5 out · /help",
    ]);
    await screen.press("ab");
    await screen.shows("❯ ab");
    await until(() => screen.cursor()[1] === 4);
    expect(screen.cursor()).toEqual([6, 4]);
  });

  test("S10: the loader counts down in place until the answer replaces it", async () => {
    screen = await ChatScreen.start([DOWN, DOWN, says("there")]);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3) in 2s… (esc to cancel)");
    await screen.shows("enter: now · 503 Service Unavailable");
    await screen.pass(1000);
    await screen.shows("Retrying (1/3) in 1s… (esc to cancel)");
    await screen.pass(1000);
    await screen.shows("Retrying (2/3) in 4s… (esc to cancel)");
    expect(screen.text().match(/Retrying/g)).toHaveLength(1);
    await screen.pass(4000);
    await screen.shows("there");
    await screen.hides("Retrying");
    await screen.shows("2 retries");
  });

  test("S10: Esc cancels the retry while its loader shows, and clears the input afterwards", async () => {
    screen = await ChatScreen.start([DOWN]);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3)");
    await screen.press("typed meanwhile", ESC);
    await screen.pass(1);
    await screen.shows("Retry failed after 1 attempts: Retry cancelled");
    await screen.hides("Retrying");
    await screen.shows("❯ typed meanwhile");
    await screen.press(ESC);
    await screen.hides("typed meanwhile");
    expect(screen.world.providers.get("acme")?.requests).toHaveLength(1);
  });

  test("S10: Esc stops a streaming answer and keeps its text", async () => {
    screen = await ChatScreen.start([[{ type: "text", text: "Once upon a time" }, { type: "hang" }]]);
    await screen.say("A story");
    await screen.shows("Once upon a time");
    await screen.shows("Working… (esc to stop)");
    await screen.press(ESC);
    await screen.pass(1);
    await screen.shows("Stopped.");
    await screen.hides("Working");
    expect(screen.text()).toContain("Once upon a time");
  });

  test("S10: Esc stops the turn while the retry runs, because no loader shows", async () => {
    screen = await ChatScreen.start([DOWN, [{ type: "hang" }]]);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3)");
    await screen.pass(2000);
    await screen.shows("Working… 2 s (esc to stop)");
    await screen.press(ESC);
    await screen.pass(1);
    await screen.hides("Working");
    expect(screen.chat.session.isStreaming).toBe(false);
  });

  test("B8: Enter retries now while the loader shows", async () => {
    screen = await ChatScreen.start([DOWN, says("there")]);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3) in 2s…");
    await screen.press(ENTER);
    await screen.pass(1);
    await screen.shows("there");
    expect(screen.world.time.nowMs).toBeLessThan(100);
  });

  test("S10: switching to another key or model takes one line each, even in 40 columns", async () => {
    screen = new ChatScreen(40, 20);
    const quota = "HTTP 429: You exceeded your current quota, please check your plan and billing details.";
    screen.world.provider("acme", [emits(429, quota)], ["key-1", "key-2"]);
    screen.world.provider("other", [says("there")]);
    screen.world.settings = { fallbackChains: { default: ["acme/large", "other/small-enough-for-all"] } };
    await screen.open();
    await screen.say("Hello");
    await screen.shows("there");
    await screen.hides("Working");
    expect(screen.lines().filter((line) => /^[↻✓]/.test(line))).toEqual([
      "↻ Trying another key of acme (1/3): 42…",
      "↻ Switched to other/small-enough-for-a…",
      "✓ other/small-enough-for-all answers n…",
    ]);
    // None of them wraps.
    expect(screen.lines().filter((line) => line.startsWith("  "))).toEqual([]);
  });

  test("S10: shows the final error and the number of attempts", async () => {
    screen = await ChatScreen.start([DOWN]);
    await screen.say("Hello");
    await screen.pass(20_000);
    await screen.shows("✗ Retry failed after 3 attempts: HTTP 503: down for a while");
    expect(screen.text().match(/down for a while/g)).toHaveLength(1);
    await screen.hides("Retrying");
  });

  test("S10: everything fits into 40 columns", async () => {
    screen = await ChatScreen.start(
      [DOWN, partly("A fairly long answer that has to be broken, 海の音, and a `word`", { type: "hang" })],
      40,
      16,
    );
    await screen.say("A question that is longer than the screen is wide");
    await screen.shows("Retrying (1/3) in 2s… (esc to cancel)");
    expect(screen.lines()).toEqual([
      "❯ A question that is longer than the",
      "  screen is wide",
      "",
      "Retrying (1/3) in 2s… (esc to cancel)",
      "  enter: now · 503 Service Unavailable",
      "❯",
      "acme/large · failing · 0 in, 0 out",
    ]);
    await screen.pass(2000);
    await screen.shows("acme/large · failing · 1 retry · ↑0 ↓0");
    await screen.shows("A fairly long answer that has to be\nbroken, 海の音, and a word");
  });

  test("S10: loses no character of scripts and emoji whose width is hard to measure", async () => {
    const hindi =
      "आकाश नीला दिखाई देता है क्योंकि वायुमंडल के अणु सूर्य के प्रकाश की छोटी तरंगदैर्घ्य वाली किरणों को अधिक प्रकीर्णित करते हैं; यही कारण है।";
    const signs = "🆗🆒🆕🀄🈶".repeat(10);
    screen = await ChatScreen.start([says(`${hindi}\n\n${signs}\n\n- ${hindi}\n\nend`)], 40, 40);
    await screen.press(`${ESC}[200~${hindi} ${signs}${ESC}[201~`);
    await screen.shows("acme/large");
    const bare = (text: string): string => text.replace(/\s/g, "");
    await until(() => bare(screen.text()).includes(bare(hindi + signs)));
    expect(screen.text()).not.toContain("…");
    await screen.press(ENTER);
    await screen.pass(1);
    await screen.shows("end");
    await screen.hides("Working");
    const shown = bare(screen.text());
    expect(shown).toContain(`${bare(hindi)}${signs}•${bare(hindi)}end`);
    expect(shown.startsWith(`❯${bare(hindi)}${signs}`)).toBe(true);
    expect(shown).not.toContain("…");
  });

  test("S10: a resize during an answer wraps it again and leaves no remains", async () => {
    const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    const streaming: Piece[] = [{ type: "text", text: words }, { type: "pause", ms: 1000 }, ...says(" fifteen")];
    screen = await ChatScreen.start([streaming]);
    await screen.say("Count");
    await screen.shows("eleven twelve thirteen\nfourteen");
    screen.resize(40, 12);
    await screen.shows("one two three four five six seven eight\nnine ten eleven twelve thirteen\nfourteen");
    await screen.pass(1000);
    await screen.shows("fourteen fifteen");
    expect(screen.lines().slice(0, 6)).toEqual([
      "❯ Count",
      "",
      "one two three four five six seven eight",
      "nine ten eleven twelve thirteen",
      "fourteen fifteen",
      "",
    ]);
    screen.resize(100, 30);
    await screen.shows(`${words} fifteen`);
    expect(screen.text().match(/thirteen/g)).toHaveLength(1);
  });

  test("S10: a tool call takes one line until it is expanded", async () => {
    screen = await ChatScreen.start([calls(["t1", "list", { path: "src" }], ["t2", "peek", {}]), says("Done.")]);
    screen.tools.push({
      spec: { name: "list", description: "", parameters: {} },
      run: () => "alpha.ts\nbeta.ts\n\tgamma.ts",
    });
    await screen.say("Look");
    await screen.shows("▸ list src → 3 lines");
    await screen.shows("▸ peek → failed");
    await screen.shows("Done.");
    expect(screen.text()).not.toMatch(/alpha|beta|no tool/i);
    await screen.press("\u000f");
    await screen.shows("▾ list src → 3 lines\n  alpha.ts\n  beta.ts\n      gamma.ts\n▾ peek → failed\n");
    await screen.press("\u000f");
    await screen.hides("alpha.ts");
    await screen.shows("▸ list src → 3 lines");
  });

  test("S10: pasted text is sent and shown unchanged, including joiners and tabs", async () => {
    screen = await ChatScreen.start([says("👩‍🚀 نمی‌خواهم")]);
    const text = "👩‍🚀 نمی‌خواهم\n\tif (a) {";
    await screen.press(`${ESC}[200~${text.replace("\n", "\r")}${ESC}[201~`);
    await screen.shows("❯ 👩‍🚀 نمی‌خواهم\n      if (a) {");
    await screen.press(ENTER);
    await screen.pass(1);
    await screen.hides("Working");
    await until(() => screen.text().split("👩‍🚀 نمی‌خواهم").length === 3);
    expect(screen.world.kept("message")[0]?.data).toMatchObject({ content: text });
  });

  test("S10: a backslash or Alt+Enter continues on a new line of the same message", async () => {
    screen = await ChatScreen.start([says("ok")]);
    await screen.press("one\\", ENTER, "two", `${ESC}\r`, "three");
    await screen.shows("❯ one\n  two\n  three");
    await screen.press(ENTER);
    await screen.pass(1);
    await screen.shows("ok");
    expect(screen.world.kept("message")[0]?.data).toMatchObject({ content: "one\ntwo\nthree" });
  });

  test("S10: PgUp and PgDn scroll a long conversation, which otherwise follows its end", async () => {
    screen = await ChatScreen.start([says(Array.from({ length: 60 }, (_, i) => `line ${i + 1}`).join("\n"))], 60, 12);
    await screen.say("Count");
    await screen.shows("line 60");
    expect(screen.lines().length).toBeLessThanOrEqual(12);
    await screen.press(`${ESC}[5~`);
    await screen.shows("PgDn");
    await screen.hides("line 60");
    await screen.press(`${ESC}[6~`, `${ESC}[6~`);
    await screen.shows("line 60");
  });

  test("C7: /info shows the retry statistics", async () => {
    screen = await ChatScreen.start([DOWN, says("there")]);
    await screen.say("Hello");
    await screen.pass(2000);
    await screen.shows("there");
    await screen.say("/info");
    await screen.shows("Retries: 1");
    await screen.shows("Success after retry: 100 % (1 of 1)");
    await screen.shows("Mean retry time: 2 s");
    await screen.shows("Status 503: 1 retry, 1 worked");
  });

  test("S8: /retry, /model, /config and /export work, and an unknown command is rejected", async () => {
    screen = await ChatScreen.start([says("ok")], 80, 60);
    await screen.say("/retry off");
    await screen.shows("Automatic retries are off.");
    await screen.say("/model acme/small");
    await screen.shows("Model: acme/small");
    await screen.say("/config retry.maxRetries 7");
    await screen.shows("retry.maxRetries = 7");
    await screen.say("/config retry.maxRetries many");
    await screen.shows("a whole number from 0 to 1000");
    await screen.say("/nonsense");
    await screen.shows("Unknown command: /nonsense. Commands: /help");
    await screen.say("Hello");
    await screen.shows("ok");
    await screen.say("/export talk.md");
    await screen.shows("Exported to talk.md");
    expect(screen.exported[0]?.[1]).toContain("## You\n\nHello\n\n## Assistant\n\nok");
  });

  test("S10: a second Ctrl-C quits, and all messages are saved", async () => {
    screen = await ChatScreen.start([says("ok"), [{ type: "text", text: "half" }, { type: "hang" }]]);
    await screen.say("Hello");
    await screen.shows("ok");
    await screen.say("More");
    await screen.shows("half");
    await screen.press("\u0003");
    await screen.shows("Press Ctrl-C again to quit.");
    await screen.pass(2200);
    await screen.hides("Ctrl-C again");
    await screen.press("\u0003", "\u0003");
    await screen.left;
    await screen.world.time.until(screen.chat.close());
    expect(screen.world.kept("message").map(({ data }) => (data as { role: string }).role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    // The terminal is back on its main screen.
    expect(screen.bytes.endsWith(`${ESC}[?2004l${ESC}[?1049l`)).toBe(true);
  });
});
