import { describe, expect, test } from "vitest";
import { SECTIONS } from "../../../../src/hosts/web/pages/policies/fields.ts";
import { sayTreatment } from "../../../../src/hosts/web/pages/policies/say-treatment.ts";
import { summarise } from "../../../../src/hosts/web/pages/policies/summarise.ts";
import { whatHappens } from "../../../../src/hosts/web/pages/policies/what-happens.ts";
import { definePolicy, FAILURE_KINDS, type Policy } from "../../../../src/kernel/index.ts";
import { consolePolicy, defaultPolicy, PRESETS, patientPolicy, tavernPolicy } from "../../../../src/presets/index.ts";

function words(policy: Policy, language: "en" | "zh" = "en"): Readonly<Record<string, string>> {
  return Object.fromEntries(
    whatHappens(policy).map(({ kinds, statuses, treatment }) => [
      statuses.length > 0 ? `HTTP ${statuses.join(", ")}` : kinds.join(", "),
      sayTreatment(treatment, language),
    ]),
  );
}

describe("what happens", () => {
  test("E17: says what the default policy does about each kind", () => {
    expect(words(defaultPolicy())).toEqual({
      rate_limit: "Waits as long as the provider asks, else by the schedule. Over 2 s: next model first.",
      usage_limit: "Another key or model at once. None left: waits if the provider says how long, else stops.",
      "overloaded, server": "Waits, then tries again. Over 2 s: next model first. The same HTTP 500 twice: stops.",
      "timeout, silent, stalled":
        "Ends the call, waits, tries again. Over 2 s: next model first. After content: stops.",
      "network, stream_broken": "Waits, then tries again. Over 2 s: next model first. After content: stops.",
      "auth, permission": "Another key or model at once. None left: stops.",
      not_found: "Another model at once. None left: stops.",
      "bad_request, content_filter": "Stops at once.",
      context_overflow: "Hands over to compaction.",
      invalid_content: "Waits, then tries again. Over 2 s: next model first.",
      unknown: "Stops at once.",
    });
  });

  test("C2: gives rules by status their own rows, joined where they do the same", () => {
    expect(words(consolePolicy())).toMatchObject({
      "HTTP 400, 401, 403, 404, 422, 500": "Stops at once.",
      "HTTP 402": "Another key or model at once. None left: stops.",
      "HTTP 502": "Waits, then tries again.",
    });
  });

  test("T3: names a limit that is not the general one, and T5: a retry without a wait", () => {
    expect(words(tavernPolicy())).toMatchObject({
      rate_limit: "Waits as long as the provider asks, else by the schedule (at most 5 times). Then the next model.",
      "silent, stalled": "Ends the call, tries again at once. Then the next model. After content: stops.",
      timeout: "Waits, then tries again. Then the next model.",
    });
    expect(words(patientPolicy())).toMatchObject({
      usage_limit: "Another key or model at once. None left: waits, then tries again.",
    });
  });

  test("E17: follows the input", () => {
    const base = definePolicy({ rules: { server: "stop" }, enabled: true }, defaultPolicy());
    expect(words(base).server).toBe("Stops at once.");
    const off = definePolicy({ enabled: false }, defaultPolicy());
    expect(new Set(Object.values(words(off)))).toEqual(new Set(["Stops at once."]));
  });

  test.each(Object.keys(PRESETS))("K5: has a row for every kind of %s but an abort, and words in Chinese", (name) => {
    const policy = (PRESETS[name] as () => Policy)();
    const kinds = whatHappens(policy)
      .filter(({ statuses }) => statuses.length === 0)
      .flatMap((outcome) => outcome.kinds);
    expect([...kinds].sort()).toEqual(FAILURE_KINDS.filter((kind) => kind !== "aborted").sort());
    for (const text of Object.values(words(policy, "zh"))) expect(text).toMatch(/^[^A-Za-z]*(?:HTTP[^A-Za-z]*)*$/);
    for (const section of SECTIONS) {
      expect(summarise(section, policy, "en"), section).not.toBe("");
      expect(summarise(section, policy, "zh"), section).not.toBe("");
    }
  });
});
