import { beforeAll, expect, test } from "vitest";
import { type Way, WayCounter } from "../adapters/fetch/ways.ts";
import { faultsDocument } from "../docs/faults-document.ts";
import { FAULT_CASES } from "./fault-cases.ts";
import { isThroughGateway, type Result, runMatrix } from "./run-matrix.ts";
import { nameOf, readWithout } from "./support/without.ts";

let results: readonly Result[] = [];
let ways: Record<Way, number>;
beforeAll(async () => {
  const counter = new WayCounter();
  results = await runMatrix();
  counter.stop();
  ways = counter.take();
}, 180_000);

test("E15b: no fault is a silently wrong answer, in any format and through any door", () => {
  expect(results.filter(({ ours }) => ours.isSilentlyWrong).map(nameOf)).toEqual([]);
  expect(results.filter(({ bare }) => bare.isSilentlyWrong).length).toBeGreaterThan(100);
});

test("E15: no fault hangs", () => {
  expect(results.filter(({ ours }) => ours.words.endsWith("hangs")).map(nameOf)).toEqual([]);
});

test("E13, E14, E15, E15b, E18: every fault has its documented outcome", () => {
  const table = (words: (result: Result) => string): Readonly<Record<string, string>> =>
    Object.fromEntries(results.map((result) => [nameOf(result), words(result)]));
  expect(table(({ ours }) => ours.words)).toEqual(table(({ expected }) => expected));
});

test("E15b: without Secondwind the SDKs are as they were last found (npm run docs finds out)", () => {
  const own = results.filter((result) => !isThroughGateway(result));
  expect(Object.fromEntries(own.map((result) => [nameOf(result), result.bare.words]))).toEqual(readWithout());
});

test("E15b: the fetch door was tried through the platform's dispatcher, which the SDKs alone never use", () => {
  expect(ways.dispatcher).toBeGreaterThan(500);
});

test("E14: an answer that has begun is not asked for again", () => {
  const begun = results.filter(({ ours }) => ours.words.startsWith("content"));
  expect(begun.length).toBeGreaterThan(50);
  for (const { ours } of begun) expect(ours.words).not.toContain("calls");
});

test("E15b: every fault of the catalogue is tried, but for those of the client", () => {
  const client = new Set([44, 45, 52, 53, 54]);
  const rest = Array.from({ length: 54 }, (_, place) => place + 1).filter((number) => !client.has(number));
  expect([...new Set(FAULT_CASES.map(({ fault }) => fault))]).toEqual(rest);
});

test("E15b: docs/faults.md shows what this run gave (npm run docs writes it)", () => {
  const { is, shouldBe } = faultsDocument(results);
  expect(is).toBe(shouldBe);
});
