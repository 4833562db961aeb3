import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/index.ts";
import { useSimulator } from "./support.ts";
import { askRaw, type Faulty, WIRE_FORMATS } from "./wire-formats.ts";

const world = useSimulator();
const HOUR_MS = 3_600_000;

describe.each(WIRE_FORMATS)("faults of time and hints, $name", (format) => {
  const ask = (fault: string, more = {}) => askRaw({ sim: world.sim, format, fault, ...more });
  const texts = (events: readonly { readonly data: string }[]) =>
    events.filter(({ data }) => format.text.test(data)).length;

  test("fault 42: after n tokens nothing more comes", async () => {
    const { events, isComplete, end } = await ask("42-3", { quietMs: 100 });
    expect([texts(events), isComplete, end]).toEqual([3, false, "quiet"]);
  });

  test("fault 42: without a stream the body stops in the middle", async () => {
    const { status, body, isComplete, end } = await ask("42", { how: "whole", quietMs: 100 });
    expect([status, body.length > 10, isComplete, end]).toEqual([200, true, false, "quiet"]);
  });

  test("fault 43: one byte comes every 29 s, on a hundredfold clock", async () => {
    const { parts, chunks } = await ask("43", { leaveAfterMs: 700 });
    expect(chunks.every((chunk) => chunk.length === 1)).toBe(true);
    const gaps = parts.slice(1).map(({ atMs }, n) => atMs - (parts[n]?.atMs ?? 0));
    expect(gaps.filter((gap) => gap > 250).length).toBeGreaterThanOrEqual(1);
    expect(chunks.length).toBeLessThan(5);
  });

  test.each(["1", "2", "3", "4", "5", "44", "45", "52", "99"])(
    "fault %s: says that no server can produce it",
    async (n) => {
      const { status, text } = await ask(n);
      expect(status).toBe(400);
      expect(text).toMatch(/startConnectFault|virtual|catalogue/);
    },
  );

  test.each(["28", "35", "40"])("fault %s: rejects a request without a stream", async (n) => {
    const { status, text } = await ask(n, { how: "whole" });
    expect([status, text.includes("needs a stream")]).toEqual([400, true]);
  });

  test.each([
    ["46", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }],
    ["47", { "retry-after": "-5" }],
    ["48", { "retry-after": "NaN" }],
    ["48-soon", { "retry-after": "soon" }],
    ["49", { "retry-after": "1e12" }],
    ["50", { "retry-after": "1", "retry-after-ms": "600000", "x-ratelimit-reset": "4102444800" }],
    ["51", { "retry-after": "20000" }],
  ])("fault %s: a 429 has an odd hint, which the classifier takes for what it is", async (fault, wanted) => {
    const faulty = await ask(fault);
    expect([faulty.status, Object.fromEntries(faulty.headers)]).toEqual([429, expect.objectContaining(wanted)]);
    if (format.name === "Gemini") expect(faulty.text).toContain('"retryDelay"');
    const { hintMs, kind } = judge(faulty);
    expect(kind).toBe("rate_limit");
    // Whatever it makes of it: a delay that a timer can take.
    expect(hintMs === undefined || (hintMs >= 0 && hintMs <= 24 * HOUR_MS)).toBe(true);
    if (["46", "47", "48", "48-soon", "49"].includes(fault)) expect(hintMs).toBeUndefined();
  });
});

function judge({ status, headers, text }: Faulty) {
  const problem = { status, headers: Object.fromEntries(headers), body: JSON.parse(text) };
  return classify(problem, { wallNowMs: Date.UTC(2026, 5, 1) });
}
