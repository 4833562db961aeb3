import { describe, expect, test } from "vitest";
import { SCENARIO_NAMES } from "../../src/simulator/lab/index.ts";
import { drawPicture, type Verdict } from "../../tune/draw-picture.ts";

const figures = { failed: 0, amplification: 1.05, waited: 0.5 };
const VERDICT: Verdict = {
  own: "default",
  seeds: { count: 20 },
  cells: SCENARIO_NAMES.map((scenario) => ({
    scenario,
    clients: 1000,
    replicas: 1,
    policies: {
      default: { figures },
      loud: { figures: { ...figures, amplification: 24 } },
      "<quitter>": { figures: { ...figures, failed: 0.4, waited: 0 } },
    },
  })),
};

describe("B7: the picture of the verdict", () => {
  const svg = drawPicture(VERDICT, 1000);

  test("B7: has a row for every scenario and a strip of dots for each of three goals", () => {
    expect(svg.match(/class="row"/g)).toHaveLength(SCENARIO_NAMES.length);
    // One more in the legend.
    expect(svg.match(/<circle class="own"/g)).toHaveLength(3 * SCENARIO_NAMES.length + 1);
    expect(svg).toContain("1,000 clients, a provider in trouble");
    expect(svg).toContain("20 seeds not used for tuning");
  });

  test("B7: marks policies that lost answers as rings, and figures off the scale as arrows", () => {
    expect(svg.match(/class="peer p2 ring"/g)).toHaveLength(2 * SCENARIO_NAMES.length);
    expect(svg.match(/class="peer p1 far"/g)).toHaveLength(SCENARIO_NAMES.length);
  });

  test("B7: needs nothing from outside, knows light and dark, and has a text for those who can't see it", () => {
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|<script|@import|url\(|NaN|undefined/,
    );
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg).toContain("Fast 503: answers lost 0 %, calls made 1.05×, time waited 0.5 s.");
    expect(svg).not.toContain("<quitter>");
  });

  test("B7: is of one person where there is one client, and fails for a size that was not judged", () => {
    const one = { ...VERDICT, cells: VERDICT.cells.map((cell) => ({ ...cell, clients: 1 })) };
    expect(drawPicture(one, 1)).toContain("One person, a provider in trouble");
    expect(() => drawPicture(one, 50)).toThrow("no cells with 50 clients");
  });
});
