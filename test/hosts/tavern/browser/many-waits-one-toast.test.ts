import { expect, test } from "vitest";
import { openTavern, useTavern } from "../support/open-tavern.ts";

useTavern();

test("T12: several waits share one toast, and the same text at once is one toast", async () => {
  const tavern = await openTavern();
  for (let call = 0; call < 10; call++) {
    await tavern.play({ do: "fail", text: call === 4 ? "HTTP 429: try again in 40s" : "Too Many Requests" });
  }
  for (let call = 0; call < 10; call++) await tavern.ask();
  await tavern.advance(1000);
  expect(await tavern.toasts()).toEqual(["Rate limited. Waiting 30s..."]);
  await tavern.advance(29_000);
  // Nine have succeeded, one still waits.
  expect(await tavern.toasts()).toEqual(["Auto-retry succeeded on attempt 1", "Rate limited. Waiting 40s..."]);
  await tavern.advance(10_000);
  expect(await tavern.toasts()).toEqual(Array(2).fill("Auto-retry succeeded on attempt 1"));
});
