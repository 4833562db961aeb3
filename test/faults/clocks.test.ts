import { describe, expect, test } from "vitest";
import { systemPorts } from "../../src/index.ts";
import { useSimulator } from "../simulator/http/support.ts";
import { ask, named, nap, QUICK, TEXT } from "./support/ask-ours.ts";

const world = useSimulator({ tokenMs: 1, timeScale: 1 });

describe.each(named.filter(([, { format }]) => format === "OpenAI chat" || format === "Anthropic"))(
  "%s",
  (_name, client) => {
    test("E15: fault 53: a slow reader is not a stalled stream", async () => {
      let pieces = 0;
      const onText = async (): Promise<void> => {
        pieces += 1;
        if (pieces === 2) await nap(500);
      };
      const policy = { ...QUICK, watchdog: { firstContentMs: 5000, idleMs: 200 } };
      const { ended, sight, calls } = ask(world.sim, client, { model: "ok", policy, onText });
      expect(await ended).toBeUndefined();
      expect({ text: sight.text, ...calls }).toEqual({ text: TEXT.slice(6), started: 1 });
    });

    test("E6: fault 44: a wall clock that jumps an hour either way changes nothing", async () => {
      let reads = 0;
      const ports = systemPorts({ wallNow: () => Date.now() + ((reads++ % 3) - 1) * 3_600_000 });
      const startedAt = performance.now();
      for (const model of ["rate-limited-50@1", "fault-46@1", "stall-0@1"]) {
        const policy = { ...QUICK, watchdog: { firstContentMs: 1000, idleMs: 5000 } };
        const { ended, sight, calls } = ask(world.sim, client, { model, ports, policy });
        expect(await ended).toBeUndefined();
        expect({ text: sight.text, ...calls }).toEqual({ text: TEXT.slice(6), started: 2 });
      }
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    });

    test("E15: fault 45: a process that stood still does not take its answer for stalled", async () => {
      let pieces = 0;
      const onText = (): void => {
        pieces += 1;
        const until = performance.now() + (pieces === 2 ? 700 : 0);
        while (performance.now() < until);
      };
      const policy = { ...QUICK, watchdog: { firstContentMs: 5000, idleMs: 300 } };
      const { ended, sight } = ask(world.sim, client, { model: "ok", policy, onText });
      expect(await ended).toBeUndefined();
      expect(sight.text).toBe(TEXT.slice(6));
    });
  },
);
