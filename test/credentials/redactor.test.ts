import { inspect as picture } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Vault } from "../../src/credentials/index.ts";

const SECRET = "sk-proj-A1b2C3d4E5f6+/=_7890";

function vaultWith(...secrets: readonly string[]): Vault {
  const vault = new Vault();
  for (const [place, secret] of secrets.entries()) {
    vault.add({ id: `p#${place + 1}`, provider: "p", origin: "https://p.example", from: "test", secret });
  }
  return vault;
}

/** What a key looks like, and worse: anything that is not too short, quotes, backslashes and umlauts included. */
const secrets = fc.oneof(
  fc.stringMatching(/^[!-~]{12,40}$/),
  fc.string({ unit: "grapheme", minLength: 12, maxLength: 30 }).filter((text) => !/^\[?key/.test(text)),
);
const around = fc.string({ unit: "binary", maxLength: 20 });

const WRITINGS: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ["plain", (text) => text],
  ["JSON", (text) => JSON.stringify(text)],
  ["JSON in JSON's own field", (text) => JSON.stringify({ error: { message: text } })],
  ["base64", (text) => Buffer.from(text).toString("base64")],
  ["base64url", (text) => Buffer.from(text).toString("base64url")],
  ["a URL's query", (text) => encodeURIComponent(text)],
  ["base64 in a query", (text) => encodeURIComponent(Buffer.from(text).toString("base64"))],
];

describe("redactor", () => {
  test.each(WRITINGS)("E17: a secret written as %s is removed, whatever text surrounds it", (_name, write) => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        fc.pre(Buffer.from(secret).toString() === secret);
        const redacted = vaultWith(secret).redact(write(before + secret + after));
        for (const [, form] of WRITINGS.slice(0, 1)) expect(redacted).not.toContain(form(secret));
        expect(redacted).toContain("[key p#1]");
      }),
      { numRuns: 300 },
    );
  });

  test("E17: base64 at each of the three alignments is found, and what it decodes to has no key in it", () => {
    for (const before of ["", "u", "us", "usr", "user:"]) {
      const header = `Basic ${Buffer.from(`${before}${SECRET}:x`).toString("base64")}`;
      const redacted = vaultWith(SECRET).redact(header);
      expect(redacted).toContain("[key p#1]");
      expect(Buffer.from(redacted.slice(6), "base64").toString()).not.toContain(SECRET.slice(2, -2));
    }
  });

  test("E17: a text without a secret is returned unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!text.includes(SECRET));
        expect(vaultWith(SECRET).redact(text)).toBe(text);
      }),
    );
  });

  test("E17: the longer of two keys that begin alike is removed whole", () => {
    const vault = vaultWith("key-0123456789", "key-0123456789-and-more");
    expect(vault.redact("a key-0123456789-and-more b key-0123456789 c")).toBe("a [key p#2] b [key p#1] c");
  });

  test("E17: a text too short for a key is not redacted", () => {
    expect(vaultWith("sim").redact("simulated")).toBe("simulated");
  });

  test("E17: objects lose their secrets wherever they are: keys, errors, causes, maps, bytes, URLs, cycles", () => {
    const error = Object.assign(new Error(`bad ${SECRET}`, { cause: { header: `Bearer ${SECRET}` } }), {
      extra: SECRET,
    });
    const cyclic: Record<string, unknown> = { error, n: 7, when: new Date(0) };
    cyclic.self = cyclic;
    cyclic.map = new Map([[SECRET, new Set([SECRET])]]);
    cyclic.bytes = Buffer.from(`x${SECRET}`);
    cyclic.url = new URL(`https://p.example/?key=${encodeURIComponent(SECRET)}`);
    cyclic.headers = new Headers({ authorization: `Bearer ${SECRET}` });
    cyclic[SECRET] = [SECRET, null, undefined, 1n];
    const redacted = vaultWith(SECRET).redact(cyclic);
    expect(picture(redacted, { depth: 20, showHidden: true })).not.toContain(SECRET);
    expect(redacted.self).toBe(redacted);
    expect(redacted).toMatchObject({ n: 7, when: new Date(0), bytes: "x[key p#1]" });
    expect(redacted.error).toBeInstanceOf(Error);
    expect((redacted.error as Error).message).toBe("bad [key p#1]");
    expect((redacted.error as Error).stack).toContain("bad [key p#1]");
    expect((redacted.headers as Headers).get("authorization")).toBe("Bearer [key p#1]");
    // What went in is as it was.
    expect(error.message).toContain(SECRET);
  });

  test("E17: an object without a secret is the same object", () => {
    const clean = { a: [1, { b: "c" }], error: new Error("no") };
    expect(vaultWith(SECRET).redact(clean)).toBe(clean);
  });

  test("E17: any JSON value with secrets in it loses them all and keeps its shape", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const tainted = { value, list: [SECRET, { deep: `${SECRET}!` }] };
        const redacted = vaultWith(SECRET).redact(tainted);
        expect(JSON.stringify(redacted)).not.toContain(JSON.stringify(SECRET).slice(1, -1));
        expect(redacted.list).toEqual(["[key p#1]", { deep: "[key p#1]!" }]);
        expect(redacted.value).toEqual(value);
      }),
    );
  });

  test("E17: a getter that throws and endless nesting cause no error", () => {
    const hostile = {
      at: SECRET,
      get bad(): string {
        throw new Error("no");
      },
    };
    expect(vaultWith(SECRET).redact(hostile)).toEqual({ at: "[key p#1]", bad: undefined });
    let nested: unknown = SECRET;
    for (let depth = 0; depth < 5000; depth += 1) nested = [nested];
    expect(JSON.stringify(vaultWith(SECRET).redact(nested))).not.toContain(SECRET);
  });

  test("E17: redaction is cheap when there is no secret", () => {
    const vault = vaultWith(...Array.from({ length: 10 }, (_, n) => `sk-${n}-abcdefghijklmnopqrstuvwxyz${n}`));
    const text = "The wind turns and then it holds a little longer. ".repeat(20_000);
    const startedAt = performance.now();
    vault.redact(text);
    // A megabyte, ten keys: some milliseconds. The bound is for a machine under load.
    expect(performance.now() - startedAt).toBeLessThan(250);
  });

  test("E17: an inspected vault shows no key", () => {
    const vault = vaultWith(SECRET);
    expect(picture(vault, { depth: 9, showHidden: true })).not.toContain(SECRET);
    expect(JSON.stringify([vault, vault.credentials()])).not.toContain(SECRET);
    expect(vault.credentials()).toMatchObject([{ id: "p#1", masked: "sk-…7890" }]);
  });
});

describe("vault", () => {
  test("E17: a key goes to its own origin and to no other", () => {
    const vault = vaultWith(SECRET);
    const wish = { provider: "p", origin: "https://p.example" };
    expect(vault.secretFor(wish)).toBe(SECRET);
    expect(vault.secretFor({ ...wish, credential: "p#1" })).toBe(SECRET);
    expect(vault.secretFor({ ...wish, credential: "p#2" })).toBeUndefined();
    expect(vault.secretFor({ ...wish, origin: "https://p.example.evil" })).toBeUndefined();
    expect(vault.secretFor({ ...wish, provider: "q" })).toBeUndefined();
  });

  test("E17: the same key under two names is one key", () => {
    expect(vaultWith(SECRET, SECRET).credentials()).toHaveLength(1);
  });
});
