import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { copyPlain } from "../../../src/hosts/tavern/carry/copy-plain.ts";

test("T2: a copy of a request shares only files and functions", () => {
  const file = new Blob(["x"]);
  const filter = () => true;
  const given = { injects: [{ content: "a", filter }], image: [file], overrides: { chat_history: { prompts: [] } } };
  const copied = copyPlain(given);
  expect(copied).toEqual(given);
  expect(copied.injects).not.toBe(given.injects);
  expect(copied.injects[0]).not.toBe(given.injects[0]);
  expect(copied.overrides.chat_history.prompts).not.toBe(given.overrides.chat_history.prompts);
  expect(copied.injects[0]?.filter).toBe(filter);
  expect(copied.image[0]).toBe(file);
});

test("T2: copies objects of another realm and keeps cycles", () => {
  const foreign = runInNewContext("({ list: [{ a: 1 }] })") as { list: object[] };
  expect(copyPlain(foreign).list[0]).not.toBe(foreign.list[0]);
  expect(copyPlain(foreign)).toEqual({ list: [{ a: 1 }] });
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const copied = copyPlain(cyclic);
  expect(copied.self).toBe(copied);
  expect(copied).not.toBe(cyclic);
});
