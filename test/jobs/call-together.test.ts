import { describe, expect, test } from "vitest";
import { callTogether } from "../../src/jobs/redis/call-together.ts";

type Values = readonly (string | number)[];

describe("B6: calls of one tick", () => {
  test("B6: share one call, and one that fails rejects alone", async () => {
    const sent: Values[] = [];
    const call = callTogether(async (values) => {
      sent.push(values);
      return ["first", ["fault", "WRONGTYPE"], "third"];
    });
    const all = await Promise.allSettled([call(["a", 1]), call(["b", 2]), call(["c", 3])]);
    expect(sent).toEqual([[2, "a", 1, "b", 2, "c", 3]]);
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(all[1]).toMatchObject({ reason: { message: "WRONGTYPE" } });
  });

  test("B6: all reject if the connection breaks, if sending throws, or if the answer is no list; later calls work", async () => {
    const ways = [
      () => Promise.reject(new Error("broken")),
      () => {
        throw new Error("closed");
      },
      async () => null,
      async () => ["only one"],
    ];
    const call = callTogether((): Promise<unknown> => ways.shift()?.() ?? Promise.resolve(["fine"]));
    for (const why of ["broken", "closed", "Redis answered something else than a list"]) {
      const all = await Promise.allSettled([call(["a"]), call(["b"])]);
      expect(all).toMatchObject([{ reason: { message: why } }, { reason: { message: why } }]);
    }
    const short = await Promise.allSettled([call(["a"]), call(["b"])]);
    expect(short.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await call(["a"])).toBe("fine");
  });

  test("B6: a large body does not wait for more, and no call has more than 64 entries", async () => {
    const sent: Values[] = [];
    const call = callTogether(async (values) => {
      sent.push(values);
      return Array.from({ length: (values.length - 1) / Number(values[0]) }, (_, n) => n);
    });
    await Promise.all([call(["a", ""]), call(["x".repeat(1_000_000), ""]), call(["d", "e"])]);
    await Promise.all(Array.from({ length: 100 }, (_, n) => call([n, ""])));
    expect(sent.map(([, ...values]) => values.length / 2)).toEqual([2, 1, 64, 36]);
  });
});
