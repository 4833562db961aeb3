import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Countdown } from "../../examples/countdown-react.tsx";
import { resilient, SecondwindError, waits } from "../../src/index.ts";
import { smallDocument } from "../support/small-document.ts";
import { httpError } from "../support/world.ts";

let page: ReturnType<typeof smallDocument>;
beforeEach(() => {
  page = smallDocument();
});
afterEach(() => page.remove());

const limited = (failures: number) =>
  resilient(({ attempt }) => {
    if (attempt <= failures) throw httpError(429, "slow down", { "retry-after": "60" });
    return "fine";
  });

describe("a countdown in React", () => {
  test("B8: shows the wait, and Retry now ends it", async () => {
    const ask = limited(1);
    const waiting = waits(ask);
    const root = createRoot(page.root as unknown as Element);
    root.render(createElement(StrictMode, null, createElement(Countdown, { of: waiting })));
    const answer = ask();
    await expect.poll(() => page.root.textContent).toBe("Rate limited — retry 1 in 60 s Retry nowGive up");
    page.root.find("button")[0]?.click();
    expect(await answer).toBe("fine");
    await expect.poll(() => page.root.textContent).toBe("");
    root.unmount();
  });

  test("B8: Give up ends the call", async () => {
    const ask = limited(9);
    const waiting = waits(ask);
    const root = createRoot(page.root as unknown as Element);
    root.render(createElement(Countdown, { of: waiting }));
    const ending = ask().catch((error: unknown) => error);
    await expect.poll(() => page.root.find("button").length).toBe(2);
    page.root.find("button")[1]?.click();
    expect(await ending).toMatchObject({ status: 429 });
    await expect.poll(() => page.root.textContent).toBe("");
    root.unmount();
  });

  test("B8: is rendered on a server too", async () => {
    const ask = limited(9);
    const waiting = waits(ask);
    expect(renderToString(createElement(Countdown, { of: waiting }))).toBe("");
    const ending = ask().catch((error: unknown) => error);
    await expect.poll(() => waiting.getSnapshot().length).toBe(1);
    expect(renderToString(createElement(Countdown, { of: waiting }))).toContain("Rate limited — retry 1 in");
    waiting.getSnapshot()[0]?.giveUp();
    expect(await ending).not.toBeInstanceOf(SecondwindError);
  });
});
