import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";
import type { Tavern } from "../support/tavern.ts";

useTavern();

/** Opens the drawer and all its sections. */
async function unfold(tavern: Tavern): Promise<void> {
  await tavern.page.evaluate(() => {
    document.querySelector<HTMLElement>(".secondwind .inline-drawer-toggle")?.click();
    for (const section of document.querySelectorAll<HTMLDetailsElement>(".secondwind details")) section.open = true;
  });
}

const field = (tavern: Tavern, name: string) => tavern.page.locator(`.secondwind [name="${name}"]`);

test("T1: the panel shows the defaults and ranges without stored settings", async () => {
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
    "Empty: no content is required.",
  ]);
});

test("T1: previews the schedule while the fields are edited", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const preview = tavern.page.locator('[data-preview="general"]');
  expect((await preview.textContent())?.trim()).toBe("Retries after 1 s, 1.5 s, 2.3 s (4.8 s in total)");
  await field(tavern, "retryDelayMultiplier").fill("2");
  await field(tavern, "maxRetries").fill("8");
  expect((await preview.textContent())?.trim()).toBe(
    "Retries after 1 s, 2 s, 4 s, 8 s, 16 s, 32 s, … (4 min 15 s in total)",
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
      "Not saved: enter a whole number from 1 to 20.",
    ]);
  }
  expect(await tavern.variables()).toBeUndefined();
  await field(tavern, "maxRetries").fill("20");
  expect(await field(tavern, "maxRetries").getAttribute("aria-invalid")).toBe("false");
  expect(await tavern.variables()).toEqual({ maxRetries: 20 });
});

test("T10: saves every change at once beside other variables, and keeps it over a reload of the script", async () => {
  const tavern = await openTavern({ stored: { anotherSetting: 1, maxRetries: 4 } });
  await unfold(tavern);
  await field(tavern, "retryDelayMs").fill("250");
  await field(tavern, "showSuccessToast").uncheck();
  await field(tavern, "filterMode").selectOption("whitelist");
  await field(tavern, "filterGenerationIds").fill("one\n two \n\none");
  await field(tavern, "filterEmptyId").check();
  await field(tavern, "requiredContentPattern").fill("```json");
  expect(await tavern.variables()).toEqual({
    anotherSetting: 1,
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

test("T10: a change applies to the next generation", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  await field(tavern, "maxRetries").fill("1");
  await field(tavern, "retryDelayMs").fill("100");
  await tavern.always({ do: "fail", text: "Service Unavailable" });
  await tavern.ask();
  await tavern.advance(60_000);
  expect(await tavern.startedAt()).toEqual([0, 100]);
});

test("T1: damaged settings get defaults for invalid parts and keep the rest", async () => {
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

  const worse = await openTavern({ stored: "not an object" });
  await unfold(worse);
  expect(await field(worse, "maxRetries").inputValue()).toBe("3");
});

test("T6: explains and does not save a pattern that is invalid or not supported", async () => {
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

test("T7, T10: fallback models can be added, reordered, removed and tested, with masked keys", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const { page } = tavern;
  for (const name of ["alpha", "beta"]) {
    await page.getByRole("button", { name: "Add model" }).click();
    await field(tavern, "fallback-apiurl").last().fill(`https://${name}.example/v1`);
    await field(tavern, "fallback-key").last().fill(`sk-${name}`);
    // Incomplete: marked and not saved.
    expect(await page.locator('.secondwind [role="alert"]').allTextContents()).toEqual([
      expect.stringContaining("enter a model"),
    ]);
    await field(tavern, "fallback-model").last().fill(name);
  }
  const saved = async () => {
    const { fallbackModels } = (await tavern.variables()) as { fallbackModels: { model: string }[] };
    return fallbackModels.map(({ model }) => model);
  };
  expect(await saved()).toEqual(["alpha", "beta"]);
  expect(await field(tavern, "fallback-key").first().getAttribute("type")).toBe("password");
  await page.getByRole("button", { name: "Move up" }).last().click();
  expect(await saved()).toEqual(["beta", "alpha"]);
  // While an edited entry is invalid, its last valid state stays saved.
  await field(tavern, "fallback-apiurl").first().fill("beta");
  expect((await tavern.variables())?.fallbackModels).toMatchObject([{ apiurl: "https://beta.example/v1" }, {}]);
  await page.getByRole("button", { name: "Remove" }).first().click();
  expect(await saved()).toEqual(["alpha"]);

  await tavern.play({ do: "answer", text: "OK" }, { do: "fail", text: "<b>Unauthorized</b>" });
  const trial = page.locator(".secondwind-trial");
  await page.getByRole("button", { name: "Test" }).click();
  await expect.poll(() => trial.textContent()).toBe("Answered in 0 ms.");
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

test("T7: the source of a fallback model is chosen from the host's list; an unknown stored one stays", async () => {
  const stored = { fallbackModels: [{ apiurl: "https://a.example/v1", key: "", model: "m", source: "brand_new" }] };
  const choices = (tavern: Tavern) => field(tavern, "fallback-source").locator("option").allTextContents();
  const without = await openTavern({ stored });
  await unfold(without);
  expect(await choices(without)).toEqual(
    expect.arrayContaining(["openai", "custom", "claude", "makersuite", "brand_new"]),
  );

  const tavern = await openTavern({ stored, isScriptOff: true });
  await tavern.page.evaluate(() => {
    const options = '<option value="openai">OpenAI</option><option value="makersuite">Google AI Studio</option>';
    document.body.insertAdjacentHTML("beforeend", `<select id="chat_completion_source">${options}</select>`);
  });
  await tavern.enableScript();
  await unfold(tavern);
  expect(await choices(tavern)).toEqual(["OpenAI", "Google AI Studio", "brand_new"]);
  expect(await field(tavern, "fallback-source").inputValue()).toBe("brand_new");
  await field(tavern, "fallback-source").selectOption("makersuite");
  expect((await tavern.variables())?.fallbackModels).toMatchObject([{ model: "m", source: "makersuite" }]);
  await tavern.page.getByRole("button", { name: "Add model" }).click();
  expect(await field(tavern, "fallback-source").last().inputValue()).toBe("openai");
});

test("T6: the panel reads a pattern between slashes with its flags and refuses unknown flags", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const alert = tavern.page.locator('.secondwind [role="alert"]');
  await field(tavern, "requiredContentPattern").fill("/path/to");
  expect(await alert.count()).toBe(0);
  expect(await tavern.variables()).toMatchObject({ requiredContentPattern: "/path/to", requiredContentIsRegex: false });
  await field(tavern, "requiredContentIsRegex").check();
  expect(await alert.textContent()).toContain('has the flag "t", but only i, m and s are possible.');
  await field(tavern, "requiredContentPattern").fill("/the end/i");
  expect(await alert.count()).toBe(0);
  expect(await tavern.variables()).toMatchObject({
    requiredContentPattern: "/the end/i",
    requiredContentIsRegex: true,
  });
});

test("T11: the script's button toggles `enabled`, shows a toast and updates the panel", async () => {
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

test("B8: the status line counts down and offers to retry now or give up", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  const { page } = tavern;
  const line = page.locator(".secondwind-status");
  expect((await line.textContent())?.trim()).toBe("No generation is running.");
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
  expect((await line.textContent())?.trim()).toBe("No generation is running.");
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

test("T1: errors and the badge have enough contrast in a dark and a light theme", async () => {
  const tavern = await openTavern();
  await unfold(tavern);
  await field(tavern, "maxRetries").fill("99");
  const contrasts = () =>
    tavern.page.evaluate(() => {
      const luminance = (colour: string): number => {
        const scale = colour.startsWith("color(srgb") ? 1 : 255;
        const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
          const value = Number(part) / scale;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const below = luminance(
        getComputedStyle(document.querySelector("#extensions_settings2") as Element).backgroundColor,
      );
      return [".secondwind-problem", ".secondwind-badge.is-on"].map((selector) => {
        const text = luminance(getComputedStyle(document.querySelector(selector) as Element).color);
        return (Math.max(text, below) + 0.05) / (Math.min(text, below) + 0.05);
      });
    });
  for (const contrast of await contrasts()) expect(contrast).toBeGreaterThan(4.5);
  await tavern.page.addStyleTag({
    content: ":root { --SmartThemeBodyColor: rgb(40, 40, 40); --SmartThemeBlurTintColor: rgb(245, 245, 245); }",
  });
  for (const contrast of await contrasts()) expect(contrast).toBeGreaterThan(4.5);
});

test("T1: the panel is Chinese if the host is", async () => {
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
