import { describe, expect, test } from "vitest";
import { checkPrefix, parseRedisUrl } from "../../src/shared-health/redis-url.ts";
import { clockGap } from "../../src/shared-health/shared-clock.ts";
import { hashedName } from "../../src/shared-health/shared-names.ts";

const PASSWORD = "hunter2-very-secret";

describe("B5: REDIS_URL", () => {
  test("B5: is read with user, password, port, database and TLS", () => {
    expect(parseRedisUrl("REDIS_URL", "rediss://me:p%40ss@redis.example.com:6380/3")).toEqual({
      ...{ host: "redis.example.com", port: 6380, db: 3, username: "me", password: "p@ss", isTls: true },
      shown: "redis.example.com:6380",
    });
    expect(parseRedisUrl("REDIS_URL", "redis://[::1]")).toMatchObject({ host: "::1", port: 6379, db: 0, isTls: false });
  });

  test.each([
    ["no URL", `:${PASSWORD}@host`],
    ["another protocol", `http://:${PASSWORD}@host`],
    ["no host", `redis://:${PASSWORD}@`],
    ["a path that is no number", `redis://:${PASSWORD}@host/db`],
    ["a broken escape", `redis://:${PASSWORD}%zz@host`],
    ["nothing", " "],
  ])("B5: that is %s is an error that names the variable and never shows the password", (_what, text) => {
    expect(() => parseRedisUrl("REDIS_URL", text)).toThrow(/^REDIS_URL must be a URL such as redis:/);
    expect(() => parseRedisUrl("REDIS_URL", text)).not.toThrow(PASSWORD);
  });

  test("B5: the prefix has letters, digits and a few signs", () => {
    expect(checkPrefix("P")).toBe("secondwind");
    expect(checkPrefix("P", "team:a-1")).toBe("team:a-1");
    for (const wrong of ["", "a b", "{x}", "x".repeat(65)]) expect(() => checkPrefix("P", wrong)).toThrow("P must be");
  });
});

test("B5: of two measurements of the clock the quicker one counts, until it is old", () => {
  const first = clockGap(undefined, { sharedMs: 1000, sentMs: 0, receivedMs: 10 });
  expect(first.offsetMs).toBe(995);
  expect(clockGap(first, { sharedMs: 2000, sentMs: 100, receivedMs: 900 })).toBe(first);
  expect(clockGap(first, { sharedMs: 2000, sentMs: 1000, receivedMs: 1002 }).offsetMs).toBe(999);
  expect(clockGap(first, { sharedMs: 90_000, sentMs: 40_000, receivedMs: 40_500 })).not.toBe(first);
});

test("B5: a credential that is the key itself leaves the process as a hash only", () => {
  const name = hashedName({ provider: "p", model: "m", credential: "sk-very-secret-key" });
  expect(name.credential).toMatch(/^[0-9a-f]{12}$/);
  expect(hashedName({ provider: "p", model: "m", credential: "" }).credential).toBe("");
});
