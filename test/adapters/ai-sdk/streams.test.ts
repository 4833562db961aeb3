import { describe, expect, test } from "vitest";
import { receiptIn, receiptOf, resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import type { PolicyInput } from "../../../src/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { until } from "../../support/until.ts";
import { CALL, find, gather, MAKERS, type Maker, QUICK, rejection } from "./support.ts";

const world = useSimulator();

/** Streams one answer of a model whose name is what the simulator does. */
async function streamed(make: Maker, model: string, policy: PolicyInput = {}) {
  const resilient = resilientModel(make(world.sim, model), { ...QUICK, ...policy });
  return gather((await resilient.doStream(CALL)).stream);
}

describe.each(MAKERS)("%s", (_name, make) => {
  test("E14: a stream that fails before its first content is tried again, and only the good attempt is seen", async () => {
    const answer = await streamed(make, "overloaded-twice");
    expect(answer.text).toBe("wind → 風");
    expect(answer.error).toBeUndefined();
    expect(answer.parts.filter(({ type }) => type === "stream-start")).toHaveLength(1);
    expect(world.sim.requests).toHaveLength(3);
    expect(receiptIn(find(answer, "finish").providerMetadata)).toMatchObject({ complete: true, attempts: 3 });
  });

  test("E15b: a stream without its terminal marker fails, and is not tried again after content", async () => {
    const answer = await streamed(make, "fault-37");
    expect(answer.text).not.toBe("");
    expect(answer.types).not.toContain("finish");
    expect(receiptOf(find(answer, "error").error)).toMatchObject({
      ...{ complete: false, truncated: true, outcome: "already-streaming", attempts: 1 },
      history: [{ kind: "stream_broken" }],
    });
    expect(world.sim.requests).toHaveLength(1);
  });

  test("E15b: an error event before content is classified and tried again", async () => {
    const answer = await streamed(make, "fault-35@1");
    expect(answer.text).toBe("wind → 風");
    expect(world.sim.requests).toHaveLength(2);
  });

  test("E15b: an error event after content ends the stream with an error", async () => {
    const answer = await streamed(make, "fault-36-2");
    expect(answer.types).not.toContain("finish");
    expect(receiptOf(find(answer, "error").error)).toMatchObject({ complete: false, attempts: 1 });
    expect(world.sim.requests).toHaveLength(1);
  });

  test("E15b: a valid stream without content is tried again", async () => {
    const answer = await streamed(make, "fault-41@1");
    expect(answer.text).toBe("wind → 風");
    expect(world.sim.requests).toHaveLength(2);
  });

  test("E15: a stream that never begins is cancelled, its connection closed, and tried again", async () => {
    const answer = await streamed(make, "silent@1", { watchdog: { firstContentMs: 60 } });
    expect(answer.text).toBe("wind → 風");
    await until(() => world.sim.requests[0]?.state !== "open");
    expect(world.sim.requests[0]?.state).toBe("client-left");
  });

  test("E15: a stream that stalls is cancelled, its connection closed, and fails", async () => {
    const answer = await streamed(make, "stall-2", { watchdog: { idleMs: 60 } });
    expect(find(answer, "error").error).toMatchObject({ failure: { kind: "stalled" }, attempts: 1 });
    await until(() => world.sim.requests[0]?.state !== "open");
    expect(world.sim.requests[0]?.state).toBe("client-left");
  });

  test("E16: a stream is held back until its text has passed, and tried again if it has not", async () => {
    const answer = await streamed(make, "fault-37@1", { require: { text: "風" } });
    expect(answer.text).toBe("wind → 風");
    expect(world.sim.requests).toHaveLength(2);
    const lacking = resilientModel(make(world.sim, "ok"), { ...QUICK, require: { text: "no such word" } });
    expect(await rejection(lacking.doStream(CALL))).toMatchObject({
      failure: { kind: "invalid_content" },
      attempts: 4,
    });
  });
});
