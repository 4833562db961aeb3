import { describe, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { useSimulator } from "../simulator/http/support.ts";
import type { Exception, FaultCase } from "./fault-case.ts";
import { FAULT_CASES } from "./fault-cases.ts";
import { QUICK } from "./run-matrix.ts";
import { clientOf, FORMATS, type Format } from "./support/clients.ts";
import { runCell } from "./support/run-cell.ts";

const world = useSimulator();

/** What only the AI SDK's door can't see. */
const HIDDEN = FAULT_CASES.flatMap((fault) =>
  (fault.except ?? []).flatMap((exception) => (exception.door === "ai-sdk" ? formatsOf(exception, fault) : [])),
);

function formatsOf({ formats = FORMATS }: Exception, fault: FaultCase) {
  return formats.map((format): readonly [string, Format, FaultCase] => [fault.title, format, fault]);
}

describe("the AI SDK door on the fetch door", () => {
  test.each(HIDDEN)("E15b: %s, %s: what the AI SDK hides, the fetch door sees", async (_title, format, fault) => {
    const probe = clientOf("ai-sdk", format).ours({ policy: QUICK });
    const { words } = await runCell({
      ...{ fault, isStreaming: true, maxRetries: 0, limitMs: 15_000, place: { urls: world.sim.urls } },
      probe: (ask, sight) => probe({ ...ask, fetch: resilientFetch(QUICK, { fetch: ask.fetch }) }, sight),
    });
    expect(words).toBe(fault.streamed);
  });
});
