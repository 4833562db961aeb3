import { FAULT_CASES } from "../faults/fault-cases.ts";
import type { Result } from "../faults/run-matrix.ts";
import type { Door, Format } from "../faults/support/clients.ts";
import type { Outcome } from "../faults/support/outcome.ts";
import { type Regenerated, regenerated } from "./regenerated.ts";

const COLUMNS: readonly (readonly [string, readonly Format[]])[] = [
  ["OpenAI", ["OpenAI chat", "OpenAI responses"]],
  ["Anthropic", ["Anthropic"]],
  ["Gemini", ["Gemini"]],
];
const DOORS: readonly (readonly [Door, string])[] = [
  ["fetch", "Official SDKs"],
  ["gateway", "Official SDKs, through the gateway"],
  ["ai-sdk", "AI SDK"],
];

const DOOR_NAMES: Readonly<Record<Door, string>> = {
  fetch: "Official SDKs",
  "ai-sdk": "AI SDK",
  gateway: "Gateway",
};

/** docs/faults.md with what a run of the matrix gave. */
export function faultsDocument(results: readonly Result[]): Regenerated {
  return regenerated("faults.md", {
    summary: summary(results),
    "official SDKs": table(results, ["fetch", "gateway"]),
    "AI SDK": table(results, ["ai-sdk"]),
    differences: differences(),
  });
}

function summary(results: readonly Result[]): string {
  const rows = DOORS.map(([door, name]) => {
    const own = results.filter(({ client }) => client.door === door);
    const figures = (["bare", "ours"] as const).flatMap((side) => [
      count(own, side, ({ isSilentlyWrong }) => isSilentlyWrong),
      count(own, side, ({ words }) => words.endsWith("hangs")),
      count(own, side, ({ words }) => words.startsWith("whole answer")),
    ]);
    return [name, own.length, ...figures];
  });
  const names = ["silently wrong", "hangs", "whole answer"];
  const heads = ["", "cases", ...names.map((name) => `without: ${name}`), ...names.map((name) => `with: ${name}`)];
  return lines([heads, heads.map(() => "---"), ...rows]);
}

function count(results: readonly Result[], side: "bare" | "ours", isMeant: (outcome: Outcome) => boolean): number {
  return results.filter((result) => isMeant(result[side])).length;
}

/** One row for each fault, and one more if it is something else without a stream. */
function table(results: readonly Result[], doors: readonly Door[]): string {
  const rows = FAULT_CASES.flatMap((fault) => {
    const cells = (isStreaming: boolean): readonly string[] => {
      const all = results.filter((result) => result.fault === fault && result.isStreaming === isStreaming);
      const [own = [], ...others] = doors.map((door) => all.filter(({ client }) => client.door === door));
      if (own.length === 0) return [];
      return [...COLUMNS.map(([, formats]) => bareIn(own, formats)), oursIn(own), ...others.map(oursIn)];
    };
    const [streamed, whole] = [cells(true), cells(false)];
    const isSame = whole.length === 0 || whole.join() === streamed.join();
    const row = [fault.fault, fault.title, ...streamed];
    return isSame ? [row] : [row, [fault.fault, `${fault.title} (no stream)`, ...whole]];
  });
  const others = doors.slice(1).map((door) => `through the ${DOOR_NAMES[door].toLowerCase()}`);
  const heads = ["n", "fault", ...COLUMNS.map(([name]) => `${name}, without`), "with Secondwind", ...others];
  return lines([heads, heads.map(() => "---"), ...rows]);
}

function bareIn(results: readonly Result[], formats: readonly Format[]): string {
  const own = results.filter(({ client }) => formats.includes(client.format));
  return grouped(own.map(({ client, bare }) => [client.format, shown(bare)]));
}

function oursIn(results: readonly Result[]): string {
  return grouped(results.map(({ client, ours }) => [client.format, shown(ours)]));
}

/** The same for most, and then those that differ. */
function grouped(all: readonly (readonly [Format, string])[]): string {
  const byWords = new Map<string, Format[]>();
  for (const [format, words] of all) byWords.set(words, [...(byWords.get(words) ?? []), format]);
  const [most, ...others] = [...byWords].sort(([, one], [, other]) => other.length - one.length);
  return [most?.[0] ?? "", ...others.map(([words, formats]) => `${formats.join(", ")}: ${words}`)].join("; ");
}

function shown({ words, isSilentlyWrong }: Outcome): string {
  return isSilentlyWrong ? `**${words}**` : words;
}

/** Where the outcome with Secondwind is not the same for all, and why. */
function differences(): string {
  const reasons = new Map<string, Set<string>>();
  for (const { fault, except = [] } of FAULT_CASES) {
    for (const { door, formats, because } of except) {
      const where = [door === undefined ? "" : DOOR_NAMES[door], formats?.join(", ") ?? ""];
      const reason = `${where.filter((word) => word !== "").join(", ")}: ${because}.`;
      reasons.set(reason, (reasons.get(reason) ?? new Set()).add(String(fault)));
    }
  }
  return [...reasons].map(([reason, faults]) => `- ${[...faults].join(", ")}. ${reason}`).join("\n");
}

/** A table as the formatter wants it: the second row is dashes. */
function lines(rows: readonly (readonly unknown[])[]): string {
  const widths = (rows[0] ?? []).map((_, place) => Math.max(3, ...rows.map((row) => String(row[place]).length)));
  const padded = (row: readonly unknown[]): string =>
    widths
      .map((width, place) => (row[place] === "---" ? "-".repeat(width) : String(row[place]).padEnd(width)))
      .join(" | ");
  return rows.map((row) => `| ${padded(row)} |`).join("\n");
}
