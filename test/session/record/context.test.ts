import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addEntry, type Context, readEntries } from "../../../src/session/record/context.ts";
import { lastLeader } from "../../../src/session/record/last-leader.ts";
import type { Entry } from "../../../src/store/store.ts";
import type { SessionEntry } from "../../../src/wire/index.ts";

const user = (content: string) => ({ type: "message", data: { role: "user", content } }) as const;
const answer = (text: string) =>
  ({
    type: "message",
    data: { role: "assistant", parts: [{ type: "text", text }], model: "a/b", stopReason: "end" },
  }) as const;
const rewind = (before: number) => ({ type: "rewind", data: { before } }) as const;
const turn = (model: string) => ({ type: "turn", data: { turnId: "t", model, policy: "patient" } }) as const;
const change = (to: string, reason: "chosen" | "fallback" | "restored") =>
  ({ type: "model_change", data: { from: "a/b", to, role: "default", reason } }) as const;

const stored = (...entries: readonly SessionEntry[]): Entry[] =>
  entries.map((entry, index) => ({ seq: index + 1, at: 0, ...entry }));

const said = (entries: readonly Entry[]): string[] =>
  readEntries(entries)
    .reduce<Context>(addEntry, [])
    .map((message) => (message.role === "user" ? message.content : message.role));

describe("an edited message", () => {
  test("K6: takes back the old one and what followed it, in every host that reads the conversation", () => {
    expect(said(stored(user("a"), answer("1"), user("b"), answer("2"), rewind(3), user("c"), answer("3")))).toEqual([
      "a",
      "assistant",
      "c",
      "assistant",
    ]);
  });

  test("K6: can be edited again, and so can one before it", () => {
    expect(
      said(stored(user("a"), user("b"), rewind(2), user("c"), rewind(4), user("d"), rewind(1), user("e"))),
    ).toEqual(["e"]);
  });

  test("K6: before a compaction brings back what the summary had replaced", () => {
    const compaction = { type: "compaction", data: { summary: "short", kept: 0 } } as const;
    expect(said(stored(user("a"), answer("1"), user("b"), compaction, rewind(3), user("c")))).toEqual([
      "a",
      "assistant",
      "c",
    ]);
  });

  test("K6: leaves the models and turns as they were", () => {
    const read = readEntries(stored(user("a"), change("c/d", "chosen"), rewind(1), user("b")));
    expect(read.map(({ type }) => type)).toEqual(["model_change", "rewind", "message"]);
  });

  test("K6: any sequence of messages and rewinds stands for the list that a person would have", () => {
    const step = fc.record({ isRewind: fc.boolean(), at: fc.nat({ max: 20 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const entries: SessionEntry[] = [];
        let expected: number[] = [];
        for (const { isRewind, at } of steps) {
          const seq = entries.length + 1;
          const before = expected[at % Math.max(1, expected.length)];
          if (isRewind && before !== undefined) {
            entries.push(rewind(before));
            expected = expected.filter((one) => one < before);
          } else {
            entries.push(user(String(seq)));
            expected = [...expected, seq];
          }
        }
        expect(said(stored(...entries))).toEqual(expected.map(String));
      }),
    );
  });
});

describe("the model that leads", () => {
  const settings = { fallbackRevertPolicy: "cooldown-expiry" } as const;

  test("S6: is that of the last turn, unless another was chosen since", () => {
    expect(lastLeader([turn("a/b"), user("x")], settings)).toBe("a/b");
    expect(lastLeader([turn("a/b"), change("c/d", "chosen")], settings)).toBe("c/d");
    expect(lastLeader([change("c/d", "chosen"), turn("e/f")], settings)).toBe("e/f");
  });

  test("S6: is not a fallback, unless the primary is not to come back", () => {
    expect(lastLeader([turn("a/b"), change("c/d", "fallback")], settings)).toBe("a/b");
    expect(lastLeader([turn("a/b"), change("c/d", "fallback")], { fallbackRevertPolicy: "never" })).toBe("c/d");
  });
});
