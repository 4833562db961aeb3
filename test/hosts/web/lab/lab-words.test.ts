import { describe, expect, test } from "vitest";
import { chartShapes, shapePath } from "../../../../src/hosts/web/pages/lab/chart-shapes.ts";
import { betterOf, sayFigure } from "../../../../src/hosts/web/pages/lab/figures.ts";
import { wholeFrom } from "../../../../src/hosts/web/pages/lab/lab-store.ts";
import { LAB_TEXTS } from "../../../../src/hosts/web/texts/lab.ts";
import { SCENARIO_NAMES } from "../../../../src/simulator/lab/index.ts";
import type { LabFigure, LabFigureKey, LabPolicyResult, LabValue } from "../../../../src/wire/http/server.ts";

const figure = (key: LabFigureKey, unit: LabFigure["unit"], better: LabFigure["better"] = "low"): LabFigure => ({
  ...{ key, unit, better, label: key, meaning: "" },
});
const result = (...values: readonly LabValue[]) => ({
  policies: values.map((value): LabPolicyResult => {
    const figures = { amplification: value, peak: value, recoverySeconds: value, wasted: value, failed: value };
    return { name: "x", figures: { ...figures, waited: value, served: value, p95Seconds: value } };
  }),
});

describe("figures of the lab", () => {
  test.each([
    ["amplification", "times", 1.0412, "1.04×"],
    ["peak", "times", 1.24, "1.2×"],
    ["recoverySeconds", "seconds", 6, "6 s"],
    ["waited", "seconds", 3.66, "3.7 s"],
    ["wasted", "share", 0.0071, "0.7 %"],
    ["recoverySeconds", "seconds", "never", "never"],
    ["peak", "times", null, "–"],
  ] as const)("B7: says %s (%s) %s as %s", (key, unit, value, text) => {
    expect(sayFigure({ key, unit }, value, "never")).toBe(text);
  });

  test("B7: marks the better figure, and none if both look the same or mean nothing", () => {
    expect(betterOf(figure("amplification", "times"), result(1.04, 1.38))).toBe(0);
    expect(betterOf(figure("served", "share", "high"), result(0.2, 0.9))).toBe(1);
    expect(betterOf(figure("recoverySeconds", "seconds"), result("never", 5))).toBe(1);
    expect(betterOf(figure("failed", "share"), result(0.0001, 0.0002))).toBeUndefined();
    expect(betterOf(figure("peak", "times"), result(null, 1))).toBeUndefined();
  });
});

test("B7: reads whole numbers within their bounds, with or without commas", () => {
  expect(["1", "1,000", "10000", "0", "10001", "1.5", "x", ""].map((text) => wholeFrom(text, 10_000))).toEqual([
    1,
    1000,
    10_000,
    ...Array.from({ length: 5 }, () => undefined),
  ]);
});

describe("charts of the lab", () => {
  const lines = [{ name: "a", mean: [0, 100, 50], least: [0, 90, 40], most: [0, 110, 60] }];
  const chart = { id: "calls", title: "Load", unit: "calls", capacity: 200, at: [0, 60, 120], lines };
  const shapes = chartShapes(chart, { outageFrom: 60, outageTo: 120, seconds: 240 });

  test("B7: keeps every line, the outage and the capacity inside the frame", () => {
    const points = shapes.lines.flatMap(({ line, band }) => `${line} ${band}`.split(" "));
    for (const point of points) {
      const [x = 0, y = 0] = point.split(",").map(Number);
      expect(x).toBeGreaterThanOrEqual(shapes.left);
      expect(x).toBeLessThanOrEqual(shapes.right);
      expect(y).toBeGreaterThanOrEqual(shapes.top);
      expect(y).toBeLessThanOrEqual(shapes.bottom);
    }
    expect(shapes.capacityY).toBe(shapes.top);
    expect(shapes.outage.x).toBe(shapes.moments.find(({ seconds }) => seconds === 0)?.x);
    expect(shapes.isEmpty).toBe(false);
  });

  test("B7: a chart without any value says so instead of dividing by zero", () => {
    const zero = { ...chart, lines: [{ name: "a", mean: [0], least: [0], most: [0] }], at: [0] };
    const { capacity: _, ...empty } = zero;
    expect(chartShapes(empty, { outageFrom: 0, outageTo: 1, seconds: 1 })).toMatchObject({ isEmpty: true });
    expect(JSON.stringify(chartShapes(empty, { outageFrom: 0, outageTo: 0, seconds: 0 }))).not.toMatch(/NaN|null/);
  });

  test("B7: the icon of an outage goes down where calls fail", () => {
    expect(shapePath([1, 0, 1], 30, 12)).toBe("0,1 10,1 10,11 20,11 20,1 30,1");
  });
});

test("B7: every scenario has its words in both languages", () => {
  for (const name of SCENARIO_NAMES) {
    expect(LAB_TEXTS.en.shorts[name], name).toBeTypeOf("string");
    expect(LAB_TEXTS.zh.shorts[name], name).toBeTypeOf("string");
    expect(LAB_TEXTS.zh.scenarios[name], name).toBeDefined();
  }
  const facts = LAB_TEXTS.zh.sayFacts?.(
    [
      { type: "fewer-calls", policy: "a", share: 0.25 },
      { type: "longer-wait", policy: "a", seconds: 2.5 },
      { type: "failed", shares: [0, 0.1] },
    ],
    ["a", "b"],
  );
  expect(facts).toBe("a 的调用少 25 %；a 的用户平均多等 2.5 秒；失败的生成：a 0.0 %，b 10.0 %。");
});
