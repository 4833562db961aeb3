import { expect, test } from "vitest";
import { statusPageOf } from "../../../src/hosts/console/status-pages.ts";

test("C8: the status page is the provider's, or none that we know, whatever a provider is called", () => {
  expect(statusPageOf("openai")).toBe("https://status.openai.com");
  for (const name of [undefined, "", "acme", "constructor", "__proto__", "toString"]) {
    expect(statusPageOf(name)).toBe("the provider's status page");
  }
});
