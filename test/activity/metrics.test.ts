import { expect, test } from "vitest";
import { MemoryHealth } from "../../src/index.ts";
import { failureOf, guarded, target, under } from "../kernel/health/fixtures.ts";
import { answer, fails } from "../support/world.ts";
import { facts, newActivity } from "./activities.ts";

const quick = { schedules: { general: { type: "fixed", delayMs: 2000 } }, budget: null, breaker: null } as const;

/** Reads the text format, strictly. */
function parse(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  const described = new Set<string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.slice(0, -1).split("\n")) {
    const [, comment, name] = /^# (HELP|TYPE) ([a-z_]+) .+$/.exec(line) ?? [];
    if (comment !== undefined) {
      expect(described.has(`${comment} ${name}`)).toBe(false);
      described.add(`${comment} ${name}`);
      continue;
    }
    const [, sample, value] = /^([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)+\})?) (\S+)$/.exec(line) ?? [];
    if (sample === undefined) throw new Error(`not a sample: ${line}`);
    const base = sample.replace(/\{.*/s, "").replace(/_(?:bucket|sum|count)$/, "");
    expect([...described].some((one) => one === `TYPE ${base}` || one === `TYPE ${sample.replace(/\{.*/s, "")}`)).toBe(
      true,
    );
    expect(samples.has(sample)).toBe(false);
    expect(Number.isFinite(Number(value))).toBe(true);
    samples.set(sample, Number(value));
  }
  return samples;
}

test("B4: generations, attempts, waits and first content are counted", async () => {
  const { activity, world } = await newActivity();
  const watch = activity.watch(facts);
  await world.run(
    world.script(fails(503), () => {
      watch.content();
      watch.content();
      return "answer";
    }),
    { targets: [{ provider: "first", model: "a" }], policy: quick, on: watch.on },
  );
  await world.run(answer(), { on: activity.watch(facts).on });
  await world.run(fails(401), { on: activity.watch({ ...facts, door: "job" }).on });
  const waiting = world.start(fails(503), { policy: quick, on: activity.watch(facts).on });
  await world.time.advance(1);
  const samples = parse(activity.metrics());
  expect(Object.fromEntries([...samples].filter(([name]) => !/bucket|process|nodejs/.test(name)))).toMatchObject({
    'secondwind_generations_total{door="chat",outcome="retried"}': 1,
    'secondwind_generations_total{door="chat",outcome="first"}': 1,
    'secondwind_generations_total{door="job",outcome="failed"}': 1,
    'secondwind_generation_stops_total{door="job",reason="not-retryable"}': 1,
    'secondwind_attempts_total{provider="first",kind="overloaded"}': 1,
    'secondwind_attempts_total{provider="first",kind="none"}': 1,
    'secondwind_wait_seconds_sum{door="chat"}': 2,
    'secondwind_wait_seconds_count{door="chat"}': 1,
    'secondwind_time_to_first_content_seconds_count{door="chat"}': 1,
    'secondwind_time_to_first_content_seconds_sum{door="chat"}': 2,
    'secondwind_generations_in_flight{door="chat"}': 1,
    'secondwind_generations_waiting{door="chat"}': 1,
  });
  expect(samples.get('secondwind_wait_seconds_bucket{door="chat",le="1"}')).toBe(0);
  expect(samples.get('secondwind_wait_seconds_bucket{door="chat",le="2"}')).toBe(1);
  expect(samples.get('secondwind_wait_seconds_bucket{door="chat",le="+Inf"}')).toBe(1);
  expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  waiting.giveUp();
  await activity.close();
});

test("B4: breakers, cooldowns and budgets are gauges by provider", async () => {
  const health = new MemoryHealth();
  const { activity, world } = await newActivity({ health });
  for (let n = 0; n < 5; n++) health.failed(under(guarded, -1, target("down")), failureOf("server"), n * 10);
  health.started(target("fine"));
  health.coolDown(target("limited", "m", "k"), "credential", world.ports.now() + 9000);
  const samples = parse(activity.metrics());
  expect(samples.get('secondwind_breaker_open{provider="down"}')).toBe(1);
  expect(samples.get('secondwind_breaker_open{provider="fine"}')).toBe(0);
  expect(samples.get('secondwind_cooldowns{provider="limited"}')).toBe(1);
  await activity.close();
});

test("B4: labels stay bounded and escaped, whatever callers name their doors and providers", async () => {
  const { activity, world } = await newActivity();
  const names = Array.from({ length: 300 }, (_, n) => `a"\\\n}${n}`);
  for (const name of names) {
    const watch = activity.watch({ ...facts, door: name, client: name, asked: `x/${name}` });
    await world.run(answer(), { targets: [{ provider: name, model: name }], on: watch.on });
  }
  const text = activity.metrics();
  const samples = [...parse(text).keys()];
  expect(samples.filter((name) => name.startsWith("secondwind_attempts_total"))).toHaveLength(101);
  expect(samples.filter((name) => name.startsWith("secondwind_generations_total"))).toHaveLength(101);
  expect(text).toContain('{door="other",outcome="first"} 200');
  await activity.close();
});
