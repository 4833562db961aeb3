import { describe, expect, onTestFinished, test } from "vitest";
import { chatAnswer, sendJson, serve } from "../adapters/fetch/server.ts";
import { until } from "../support/until.ts";
import { askRaw, openSocket, requestBytes } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "./support/start-gateway.ts";

const PATIENCE_MS = 900;
const POLICY = {
  schedules: { general: { type: "fixed", delayMs: 60 } },
  patienceMs: PATIENCE_MS,
  budget: null,
  breaker: null,
} as const;
const options = (content: string) => ({ body: { model: "m", content }, headers: { authorization: "Bearer k" } });

async function started() {
  const state = { isDown: true };
  const upstream = await serve((_, response) =>
    state.isDown ? sendJson(response, 503, { error: { message: "down" } }) : sendJson(response, 200, chatAnswer("hi")),
  );
  onTestFinished(() => upstream.close());
  const { port, gateway } = await gatewayOfTest({ endpoints: endpointsAt(upstream.url), policy: POLICY });
  const path = "/v1/chat/completions";
  /** As an agent does that has a time limit of its own. */
  const leaveAfter = async (ms: number, content: string): Promise<void> => {
    const socket = openSocket(port, requestBytes(path, options(content)));
    await new Promise((resolve) => setTimeout(resolve, ms));
    socket.destroy();
    await until(() => gateway.inFlight === 0);
  };
  const ask = async (content: string) => {
    const before = { atMs: performance.now(), calls: upstream.received.length };
    const answer = await askRaw(port, path, options(content));
    return { answer, ms: performance.now() - before.atMs, calls: upstream.received.length - before.calls };
  };
  return { state, upstream, ask, leaveAfter };
}

describe("B3: a client that hangs up while the gateway waits, and comes back", () => {
  test("B3: has the rest of its patience, not all of it again", async () => {
    const { upstream, ask, leaveAfter } = await started();
    const alone = await ask("alone");
    expect(alone.answer.status).toBe(503);
    expect(alone.ms).toBeGreaterThan(PATIENCE_MS * 0.6);
    const before = upstream.received.length;
    await leaveAfter(PATIENCE_MS / 3, "a");
    await leaveAfter(PATIENCE_MS / 3, "a");
    const last = await ask("a");
    expect(last.answer).toMatchObject({ status: 503, headers: { "x-should-retry": "false" } });
    expect(last.ms).toBeLessThan(PATIENCE_MS * 0.6);
    // One call more for each time that it came.
    expect(upstream.received.length - before).toBeLessThanOrEqual(alone.calls + 3);
    expect((await ask("a")).calls).toBe(1);
    expect((await ask("another")).calls).toBeGreaterThan(alone.calls / 2);
  });

  test("B3: starts anew once it was answered", async () => {
    const { state, ask, leaveAfter } = await started();
    await leaveAfter(PATIENCE_MS / 2, "a");
    state.isDown = false;
    expect((await ask("a")).answer.status).toBe(200);
    state.isDown = true;
    expect((await ask("a")).ms).toBeGreaterThan(PATIENCE_MS * 0.6);
  });
});
