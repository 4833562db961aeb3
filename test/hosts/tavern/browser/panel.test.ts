import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";
import type { Tavern } from "../support/tavern.ts";

useTavern();

/** Opens the drawer and every section in it. */
async function unfold(tavern: Tavern): Promise<void> {
  await tavern.page.evaluate(() => {
    document.querySelector<HTMLElement>(".secondwind .inline-drawer-toggle")?.click();
    for (const section of document.querySelectorAll<HTMLDetailsElement>(".secondwind details")) section.open = true;
  });
}

const field = (tavern: Tavern, name: string) => tavern.page.locator(`.secondwind [name="${name}"]`);

test("T1: without stored settings the panel shows the defaults, and each field its range", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const shown = await tavern.page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLInputElement>(".secondwind [name]")].map((input) => [
        input.name,
        input.type === "checkbox" ? input.checked : input.value,
      ]),
    ),
  );
  expect(shown).toEqual({
    enabled: true,
    maxRetries: "3",
    retryDelayMs: "1000",
    retryDelayMultiplier: "1.5",
    rateLimitDelayMs: "30000",
    rateLimitMaxRetries: "5",
    streamingTimeoutMs: "30000",
    thinkingTimeLimitMs: "120000",
    requiredContentEnabled: false,
    requiredContentPattern: "",
    requiredContentIsRegex: false,
    fallbackModelsEnabled: false,
    filterEnabled: false,
    filterMode: "blacklist",
    filterGenerationIds: "",
    filterEmptyId: false,
    showRetryToast: true,
    showSuccessToast: true,
    showFailureToast: true,
  });
  const ranges = await tavern.page.locator(".secondwind-range").allTextContents();
  expect(ranges.map((text) => text.trim())).toEqual([
    "1 to 20",
    "1 s · 100 ms to 1 min",
    "1 to 5",
    "30 s · 1 s to 5 min",
    "1 to 10",
    "2 min · 10 s to 10 min",
    "30 s · 5 s to 5 min",
    "Nothing is required until something is written here.",
  ]);
});

test("T1: shows the schedule that the fields come to, while they are typed", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const preview = tavern.page.locator('[data-preview="general"]');
  expect((await preview.textContent())?.trim()).toBe("Retries after 1 s, 1.5 s, 2.3 s (4.8 s in all)");
  await field(tavern, "retryDelayMultiplier").fill("2");
  await field(tavern, "maxRetries").fill("8");
  expect((await preview.textContent())?.trim()).toBe(
    "Retries after 1 s, 2 s, 4 s, 8 s, 16 s, 32 s, … (4.3 min in all)",
  );
  expect(await tavern.page.locator('[data-preview="rate-limit"]').textContent()).toContain(
    "30 s, 30 s, 30 s, 30 s, 30 s",
  );
});

test("T1, T10: invalid input is marked, explained and not saved", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  for (const bad of ["0", "21", "2.5", "many", ""]) {
    await field(tavern, "maxRetries").fill(bad);
    expect(await field(tavern, "maxRetries").getAttribute("aria-invalid"), bad).toBe("true");
    expect(await tavern.page.locator('.secondwind [role="alert"]').allTextContents()).toEqual([
      "Not saved: a whole number from 1 to 20, please.",
    ]);
  }
  expect(await tavern.variables()).toBeUndefined();
  await field(tavern, "maxRetries").fill("20");
  expect(await field(tavern, "maxRetries").getAttribute("aria-invalid")).toBe("false");
  expect(await tavern.variables()).toEqual({ maxRetries: 20 });
});

test("T10: every change is saved at once, flat, beside what is there, and survives a reload of the script", async () => {
  const tavern = await openTavern({ stored: { somebodyElses: 1, maxRetries: 4 } });
  await unfold(tavern);
  await field(tavern, "retryDelayMs").fill("250");
  await field(tavern, "showSuccessToast").uncheck();
  await field(tavern, "filterMode").selectOption("whitelist");
  await field(tavern, "filterGenerationIds").fill("one\n two \n\none");
  await field(tavern, "filterEmptyId").check();
  await field(tavern, "requiredContentPattern").fill("```json");
  expect(await tavern.variables()).toEqual({
    somebodyElses: 1,
    maxRetries: 4,
    retryDelayMs: 250,
    showSuccessToast: false,
    filterMode: "whitelist",
    filterGenerationIds: ["", "one", "two"],
    requiredContentPattern: "```json",
    requiredContentIsRegex: false,
  });
  await tavern.disableScript();
  await tavern.enableScript();
  await unfold(tavern);
  expect(await field(tavern, "retryDelayMs").inputValue()).toBe("250");
  expect(await field(tavern, "filterGenerationIds").inputValue()).toBe("one\ntwo");
  expect(await field(tavern, "filterEmptyId").isChecked()).toBe(true);
  expect(await field(tavern, "requiredContentPattern").inputValue()).toBe("```json");
});

test("T10: what is changed counts for the next generation", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  await field(tavern, "maxRetries").fill("1");
  await field(tavern, "retryDelayMs").fill("100");
  await tavern.always({ do: "fail", text: "Service Unavailable" });
  await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 100]);
});

test("T1: damaged settings give defaults for what is unusable and keep the rest", async () => {
  const stored = {
    maxRetries: 99,
    retryDelayMs: "soon",
    rateLimitMaxRetries: 2,
    filterMode: "greylist",
    filterGenerationIds: ["good", 7],
    fallbackModels: [{ apiurl: "https://a.example", model: "m" }, "nonsense", null],
    enabled: "yes",
  };
  const tavern = await openTavern({ stored });
  await unfold(tavern);
  expect(await field(tavern, "maxRetries").inputValue()).toBe("3");
  expect(await field(tavern, "retryDelayMs").inputValue()).toBe("1000");
  expect(await field(tavern, "rateLimitMaxRetries").inputValue()).toBe("2");
  expect(await field(tavern, "filterMode").inputValue()).toBe("blacklist");
  expect(await field(tavern, "filterGenerationIds").inputValue()).toBe("good");
  expect(await field(tavern, "enabled").isChecked()).toBe(true);
  expect(await field(tavern, "fallback-model").count()).toBe(1);
  expect(await field(tavern, "fallback-source").inputValue()).toBe("openai");

  const worse = await openTavern({ stored: "nothing that could be read" });
  await unfold(worse);
  expect(await field(worse, "maxRetries").inputValue()).toBe("3");
});

test("T6: a pattern that is invalid or can't be checked is explained and not saved", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  await field(tavern, "requiredContentIsRegex").check();
  const alert = tavern.page.locator('.secondwind [role="alert"]');
  await field(tavern, "requiredContentPattern").fill("(unclosed");
  expect(await alert.textContent()).toContain("Not saved: the pattern is not valid: missing closing )");
  await field(tavern, "requiredContentPattern").fill("(?<=a)b");
  expect(await alert.textContent()).toContain("uses a look-behind");
  expect(await tavern.variables()).toEqual({ requiredContentPattern: "", requiredContentIsRegex: true });
  await field(tavern, "requiredContentPattern").fill("(a|b)+");
  expect(await alert.count()).toBe(0);
  expect(await tavern.variables()).toEqual({ requiredContentPattern: "(a|b)+", requiredContentIsRegex: true });
});

test("T7, T10: fallback models are added, put in order, removed and tested; keys are masked", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const { page } = tavern;
  for (const name of ["alpha", "beta"]) {
    await page.getByRole("button", { name: "Add a model" }).click();
    await field(tavern, "fallback-apiurl").last().fill(`https://${name}.example/v1`);
    await field(tavern, "fallback-key").last().fill(`sk-${name}`);
    // Not complete yet: marked, and not saved.
    expect(await page.locator('.secondwind [role="alert"]').allTextContents()).toEqual([
      expect.stringContaining("the model's name is missing"),
    ]);
    await field(tavern, "fallback-model").last().fill(name);
  }
  const saved = async () => {
    const { fallbackModels } = (await tavern.variables()) as { fallbackModels: { model: string }[] };
    return fallbackModels.map(({ model }) => model);
  };
  expect(await saved()).toEqual(["alpha", "beta"]);
  expect(await field(tavern, "fallback-key").first().getAttribute("type")).toBe("password");
  await page.getByRole("button", { name: "Earlier" }).last().click();
  expect(await saved()).toEqual(["beta", "alpha"]);
  // A good entry that becomes invalid while it is typed stays saved as it was.
  await field(tavern, "fallback-apiurl").first().fill("beta");
  expect((await tavern.variables())?.fallbackModels).toMatchObject([{ apiurl: "https://beta.example/v1" }, {}]);
  await page.getByRole("button", { name: "Remove" }).first().click();
  expect(await saved()).toEqual(["alpha"]);

  await tavern.play({ do: "answer", text: "OK" }, { do: "fail", text: "<b>Unauthorized</b>" });
  const trial = page.locator(".secondwind-trial");
  await page.getByRole("button", { name: "Test" }).click();
  await expect.poll(() => trial.textContent()).toBe("Answered after 0 ms.");
  await page.getByRole("button", { name: "Test" }).click();
  await expect.poll(() => trial.textContent()).toBe("Failed: <b>Unauthorized</b>");
  const [first] = await tavern.calls();
  expect(first).toMatchObject({
    name: "generateRaw",
    config: {
      should_silence: true,
      custom_api: { apiurl: "https://alpha.example/v1", key: "sk-alpha", model: "alpha", source: "openai" },
    },
  });
  // A trial is one plain call.
  expect(await tavern.calls()).toHaveLength(2);
});

test("T11: the script's button flips the switch and says so, and the panel follows", async () => {
  const tavern = await openTavern();
  expect(await tavern.page.evaluate(() => window.tavern.buttons.get("ours"))).toEqual(["Toggle Auto-Retry"]);
  const press = () => tavern.page.evaluate(() => window.tavern.events.emit("ours_Toggle Auto-Retry"));
  await press();
  expect(await tavern.toasts()).toEqual(["Auto-Retry Disabled"]);
  expect(await tavern.variables()).toEqual({ enabled: false });
  expect(await field(tavern, "enabled").isChecked()).toBe(false);
  await press();
  expect(await tavern.toasts()).toContain("Auto-Retry Enabled");
  expect(await tavern.variables()).toEqual({ enabled: true });
});

test("B8: the status line counts down; a person can retry now or give up", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const { page } = tavern;
  const line = page.locator(".secondwind-status");
  expect((await line.textContent())?.trim()).toBe("Nothing under way.");
  await tavern.play({ do: "fail", text: "Too Many Requests" }, { do: "fail", text: "Too Many Requests" });
  const call = await tavern.ask();
  await tavern.advance(1100);
  expect(await line.textContent()).toContain("Retry 1 in 29 s");
  expect(await line.textContent()).toContain("Too Many Requests");
  await tavern.advance(10_000);
  expect(await line.textContent()).toContain("Retry 1 in 19 s");
  await page.getByRole("button", { name: "Retry now" }).click();
  await tavern.advance(100);
  expect(await tavern.startedAt()).toEqual([0, 11_100]);
  expect(await line.textContent()).toContain("Retry 2 in 30 s");
  await page.getByRole("button", { name: "Give up" }).click();
  await tavern.advance(100);
  expect(await tavern.outcome(call)).toMatchObject({ state: "rejected", message: "Too Many Requests", atMs: 11_200 });
  expect((await line.textContent())?.trim()).toBe("Nothing under way.");
  await tavern.advance(60_000);
  expect(await tavern.calls()).toHaveLength(2);
});

test("B8: giving up during an attempt stops it in the host", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  await tavern.play({ do: "hang" });
  const call = await tavern.ask({ generation_id: "x" });
  await tavern.advance(100);
  expect(await tavern.page.locator(".secondwind-status").textContent()).toContain("First attempt running");
  await tavern.page.getByRole("button", { name: "Give up" }).click();
  await tavern.settle();
  expect(await tavern.outcome(call)).toMatchObject({
    state: "rejected",
    message: "Given up by hand",
    isPagesError: true,
  });
  expect(await tavern.page.evaluate(() => window.tavern.running())).toEqual([]);
});

test("T1: speaks Chinese where the host does", async () => {
  const tavern = await openTavern({ language: "zh-cn" });
  await unfold(tavern);
  expect(await tavern.page.locator(".secondwind summary b").allTextContents()).toEqual([
    "重试",
    "速率限制",
    "超时",
    "必需内容",
    "备用模型",
    "筛选",
    "通知",
  ]);
  expect(await tavern.page.locator('[data-preview="general"]').textContent()).toContain("依次等待 1 s, 1.5 s, 2.3 s");
});
