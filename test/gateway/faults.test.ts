import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAULTS, type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { until } from "../support/until.ts";
import { type FormatCall, STREAMED } from "./support/calls.ts";
import { askRaw, type RawAnswer } from "./support/raw-request.ts";
import { endpointsAt, QUICK, startGateway, type TestGateway } from "./support/start-gateway.ts";

let sim: Simulator;
let gateway: TestGateway;
beforeAll(async () => {
  sim = await startSimulator({ timeScale: 0.001, firstTokenMs: 0, tokenMs: 0 });
  gateway = await startGateway({
    endpoints: endpointsAt(sim.url),
    policy: {
      ...QUICK,
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } },
      maxDelayMs: 100,
      watchdog: { firstContentMs: 250, idleMs: 250 },
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await sim.close();
});

/** Their cost is in their size: they have tests of their own. */
const LARGE: ReadonlySet<string> = new Set(["25", "32"]);
/** What some faults leave whole: the client gets an answer at the first attempt. */
const HARMLESS: ReadonlySet<string> = new Set("7 10 15 26 27 28 29 31 34 38".split(" "));
const LAST: Readonly<Record<string, RegExp>> = {
  "OpenAI chat": /"finish_reason":\s*"/,
  "OpenAI responses": /response\.completed/,
  Anthropic: /message_stop/,
  Gemini: /"finishReason":\s*"/,
};

const ask = (call: FormatCall, fault: string): Promise<RawAnswer> =>
  askRaw(gateway.port, call.path(`fault-${fault}`), call.options(`fault-${fault}`));

describe("E15b: the faults of the catalogue through the gateway", () => {
  test.each(Object.keys(FAULTS).filter((fault) => !LARGE.has(fault)))(
    "E15b: fault %s is a whole answer or an error, never half an answer that seems whole",
    async (fault) => {
      const answers = await Promise.all(STREAMED.map((call) => ask(call, fault)));
      answers.forEach((answer, at) => {
        const { name } = STREAMED[at] as FormatCall;
        const text = answer.body.toString();
        if (answer.status !== 200) expect(answer.headers["x-should-retry"], name).toBe("false");
        else if (answer.isWhole) expect(text, name).toMatch(LAST[name] as RegExp);
        else expect(text, name).toContain("secondwind_error");
        if (HARMLESS.has(fault)) expect([name, answer.status, answer.isWhole]).toEqual([name, 200, true]);
      });
      await until(() => gateway.gateway.inFlight === 0);
      expect(gateway.faults).toEqual([]);
    },
  );

  test.each(["fault-32-8", "fault-25-32"])("E15b: %s does no harm", async (model) => {
    const [chat] = STREAMED as readonly [FormatCall];
    const answer = await askRaw(gateway.port, chat.path(model), chat.options(model));
    if (answer.status === 200 && answer.isWhole) expect(answer.body.toString()).toMatch(LAST[chat.name] as RegExp);
    await until(() => gateway.gateway.inFlight === 0);
  });
});
