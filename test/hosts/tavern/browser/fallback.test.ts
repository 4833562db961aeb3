import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

const model = (name: string, changes: object = {}) => ({
  apiurl: `https://${name}.example/v1`,
  key: `key-of-${name}`,
  model: name,
  source: "openai",
  ...changes,
});

const FALLBACKS = { maxRetries: 2, fallbackModelsEnabled: true, fallbackModels: [model("alpha"), model("beta")] };

test("T7: each fallback gets maxRetries tries in all once the primary's retries are used up, until one answers", async () => {
  const tavern = await openTavern({ stored: FALLBACKS });
  await tavern.page.evaluate(() => {
    window.tavern.planned.plan = ({ config }) =>
      (config.custom_api as { model?: string } | undefined)?.model === "beta"
        ? { do: "answer", text: "from beta" }
        : { do: "fail", text: "Service Unavailable" };
  });
  const call = await tavern.ask();
  await tavern.advance(60_000);
  const calls = await tavern.calls();
  expect(calls.map(({ atMs, config }) => [atMs, (config.custom_api as { model?: string })?.model])).toEqual([
    [0, undefined],
    [1000, undefined],
    [2500, undefined],
    [2500, "alpha"],
    [3500, "alpha"],
    [3500, "beta"],
  ]);
  expect(await tavern.outcome(call)).toMatchObject({ value: "from beta" });
  expect(await tavern.toasts()).toEqual(["Auto-retry succeeded on attempt 5"]);
});

test("T7: rejects with the last error when all fallbacks have failed", async () => {
  const tavern = await openTavern({ stored: FALLBACKS });
  await tavern.page.evaluate(() => {
    window.tavern.planned.plan = ({ config }) => ({
      do: "fail",
      text: `Service Unavailable: ${(config.custom_api as { model?: string } | undefined)?.model ?? "primary"}`,
    });
  });
  const call = await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(7);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: "Service Unavailable: beta" });
  expect(await tavern.toasts()).toEqual(["Auto-retry failed after 6 attempts"]);
});

test("T7: a rejected key leads to the next model at once", async () => {
  const tavern = await openTavern({ stored: FALLBACKS });
  await tavern.play({ do: "fail", text: "Unauthorized" }, { do: "fail", text: "Got response status 404" });
  const call = await tavern.ask();
  await tavern.settle();
  expect((await tavern.calls()).map(({ config }) => (config.custom_api as { model?: string })?.model)).toEqual([
    undefined,
    "alpha",
    "beta",
  ]);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 0 });
});

test("T7: tries the same model at another address even if the first address does not know it", async () => {
  const twins = [model("alpha"), model("alpha", { apiurl: "https://other.example/v1", key: "another" })];
  const tavern = await openTavern({ stored: { ...FALLBACKS, fallbackModels: twins } });
  await tavern.play({ do: "fail", text: "Unauthorized" }, { do: "fail", text: "Got response status 404" });
  const call = await tavern.ask();
  await tavern.settle();
  const asked = (await tavern.calls()).map(({ config }) => config.custom_api as { apiurl?: string; model?: string });
  expect(asked.map((api) => [api?.apiurl, api?.model])).toEqual([
    [undefined, undefined],
    ["https://alpha.example/v1", "alpha"],
    ["https://other.example/v1", "alpha"],
  ]);
  expect(await tavern.outcome(call)).toMatchObject({ state: "resolved", atMs: 0 });
});

test("T7: keeps the caller's other fields, but never sends the caller's key to a fallback", async () => {
  const tavern = await openTavern({
    stored: { maxRetries: 1, fallbackModelsEnabled: true, fallbackModels: [model("alpha", { key: "" })] },
  });
  await tavern.play({ do: "fail", text: "Unauthorized" });
  const own = { apiurl: "https://own.example", key: "secret", model: "own", proxy_preset: "mine", temperature: 0.5 };
  await tavern.ask({ user_input: "hi", injects: [1], max_chat_history: 3, generation_id: "x", custom_api: own });
  await tavern.settle();
  const [first, second] = await tavern.calls();
  expect(first?.config).toEqual({
    user_input: "hi",
    injects: [1],
    max_chat_history: 3,
    generation_id: "x",
    custom_api: own,
  });
  expect(second?.config).toEqual({
    user_input: "hi",
    injects: [1],
    max_chat_history: 3,
    generation_id: "x",
    custom_api: { apiurl: "https://alpha.example/v1", key: "", model: "alpha", source: "openai", temperature: 0.5 },
  });
});

test("T7: never sends the caller's headers, proxy or body to a fallback", async () => {
  const tavern = await openTavern({ stored: FALLBACKS });
  await tavern.play({ do: "fail", text: "Unauthorized" });
  const own = {
    apiurl: "https://own.example",
    model: "own",
    temperature: 0.5,
    max_tokens: "unset",
    custom_include_headers: { Authorization: "Bearer secret" },
    custom_include_body: { model: "own" },
    custom_exclude_body: ["stream"],
  };
  await tavern.ask({ custom_api: own });
  await tavern.settle();
  expect((await tavern.calls()).map(({ config }) => config.custom_api)).toEqual([
    own,
    { ...model("alpha"), temperature: 0.5, max_tokens: "unset" },
  ]);
});

test("T7: skips an invalid entry and logs a warning", async () => {
  const tavern = await openTavern({ isScriptOff: true, stored: {} });
  const warnings: string[] = [];
  tavern.page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  await tavern.page.evaluate(
    (fallbackModels) => {
      window.tavern.variables.set("ours", { maxRetries: 1, fallbackModelsEnabled: true, fallbackModels });
    },
    [model("", { apiurl: "ftp://x" }), model("good")],
  );
  await tavern.enableScript();
  await tavern.play({ do: "fail", text: "Unauthorized" });
  await tavern.ask();
  await tavern.ask();
  await tavern.settle();
  expect((await tavern.calls()).map(({ config }) => (config.custom_api as { model?: string })?.model)).toContain(
    "good",
  );
  expect(warnings).toEqual(["Secondwind: Skipped fallback model 1: not-a-web-address, no-model"]);
});

test("T7: does not use the list while it is disabled", async () => {
  const tavern = await openTavern({ stored: { ...FALLBACKS, fallbackModelsEnabled: false } });
  await tavern.always({ do: "fail", text: "Unauthorized" });
  await tavern.ask();
  await tavern.settle();
  expect(await tavern.calls()).toHaveLength(1);
});

test("T12: shows every step of a chain in one changing toast", async () => {
  const tavern = await openTavern({ stored: FALLBACKS });
  const seen: string[] = [];
  const look = async () => {
    const toasts = await tavern.toasts();
    expect(toasts.length).toBeLessThanOrEqual(1);
    if (toasts[0] !== undefined && toasts[0] !== seen.at(-1)) seen.push(toasts[0]);
  };
  await tavern.play(
    { do: "fail", text: "Too Many Requests" },
    { do: "fail", text: "Service Unavailable" },
    { do: "fail", text: "Service Unavailable" },
    { do: "fail", text: "Service Unavailable" },
    { do: "fail", text: "Service Unavailable", afterMs: 500 },
    { do: "answer", afterMs: 500 },
  );
  await tavern.ask();
  for (let step = 0; step < 160; step++) {
    await tavern.advance(250);
    await look();
  }
  expect(seen).toEqual([
    "Rate limited. Waiting 30s...",
    "Auto-retry: Attempt 1/2...",
    "Auto-retry: Attempt 2/2...",
    "Trying fallback model: alpha...",
    "Auto-retry: Attempt 1/1...",
    "Auto-retry succeeded on attempt 5",
  ]);
});

test("T12: each kind of toast can be disabled", async () => {
  const tavern = await openTavern({
    stored: { maxRetries: 1, showRetryToast: false, showSuccessToast: false, showFailureToast: false },
  });
  await tavern.play({ do: "fail", text: "Service Unavailable" });
  await tavern.ask();
  await tavern.advance(500);
  expect(await tavern.toasts()).toEqual([]);
  await tavern.advance(1000);
  await tavern.always({ do: "fail", text: "Service Unavailable" });
  await tavern.ask();
  await tavern.advance(5000);
  expect(await tavern.calls()).toHaveLength(4);
  expect(await tavern.toasts()).toEqual([]);
});

test("T12: foreign texts appear as text, short and without control characters", async () => {
  const evil = `<img src=x onerror="window.hacked=1">\u202e\u0000${"A".repeat(1_000_000)}`;
  const tavern = await openTavern({
    stored: { maxRetries: 1, fallbackModelsEnabled: true, fallbackModels: [model("x", { model: evil })] },
  });
  await tavern.always({ do: "fail", text: `Service Unavailable ${evil}`, afterMs: 1 });
  await tavern.ask();
  await tavern.advance(500);
  // The panel's status line shows the endpoint's error message.
  const cause = await tavern.page.evaluate(() => document.querySelector(".secondwind-cause")?.textContent ?? "");
  expect(cause.startsWith('Service Unavailable <img src=x onerror="window.hacked=1"> AAA')).toBe(true);
  expect(cause.length).toBeLessThan(200);
  await tavern.advance(502);
  const [toast = ""] = await tavern.toasts();
  expect(toast.startsWith('Trying fallback model: <img src=x onerror="window.hacked=1"> AAA')).toBe(true);
  expect(toast.length).toBeLessThan(250);
  // Also in a new toast, not only in one that changes.
  await tavern.advance(60_000);
  await tavern.play({ do: "fail", text: "Unauthorized" }, { do: "hang" });
  await tavern.always(undefined);
  await tavern.ask();
  await tavern.settle();
  expect((await tavern.toasts()).filter((text) => text.startsWith("Trying fallback model: <img"))).toHaveLength(1);
  const { hacked, images } = await tavern.page.evaluate(() => ({
    hacked: "hacked" in window,
    images: document.querySelectorAll("img").length,
  }));
  expect({ hacked, images }).toEqual({ hacked: false, images: 0 });
});
