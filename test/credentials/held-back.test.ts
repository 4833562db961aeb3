import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Vault } from "../../src/credentials/index.ts";

function vaultWith(...secrets: readonly string[]): Vault {
  const vault = new Vault();
  for (const [place, secret] of secrets.entries()) {
    vault.add({ id: `p#${place + 1}`, provider: "p", origin: "https://p.example", from: "test", secret });
  }
  return vault;
}

function inPieces(vault: Vault, pieces: readonly string[]): string {
  const held = vault.redactPieces();
  return pieces.map((piece) => held.push(piece)).join("") + held.flush();
}

/** Few letters, so that secrets overlap themselves and each other. */
const secret = fc.stringMatching(/^[ab-]{8,14}$/);
const cuts = fc.array(fc.nat(200), { maxLength: 12 });

function cutAt(text: string, places: readonly number[]): readonly string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, n) => text.slice(from, sorted[n]));
}

describe("a text in pieces", () => {
  test("S7: the output does not depend on where the text is cut", () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(5)),
        cuts,
        (secrets, order, places) => {
          const vault = vaultWith(...secrets);
          const words = ["ab", "-", "the key is ", ...secrets];
          const text = order.map((n) => words[n % words.length]).join("");
          expect(inPieces(vault, cutAt(text, places))).toBe(vault.redact(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("S7: secrets are found letter by letter, in base64 too", () => {
    const key = "sk-proj-A1b2C3d4E5f6";
    const vault = vaultWith(key);
    for (const form of [key, Buffer.from(`user:${key}`).toString("base64"), encodeURIComponent(`${key}/+`)]) {
      const told = inPieces(vault, [...`It is ${form}, is it not?`]);
      expect(told).toBe(vault.redact(`It is ${form}, is it not?`));
      expect(told).toContain("[key p#1]");
    }
  });

  test("S7: only a possible beginning of a secret is held back, and only as long as it is possible", () => {
    const held = vaultWith("sk-proj-A1b2C3d4E5f6").redactPieces();
    expect(["I ask", "-", "ing you: s", "k-pro", "ducts?"].map((piece) => held.push(piece))).toEqual([
      "I a",
      "",
      "sk-ing you: ",
      "",
      "sk-products?",
    ]);
    expect(held.flush()).toBe("");
  });

  test("S7: for a long piece only its end is inspected", () => {
    const held = vaultWith("sk-proj-A1b2C3d4E5f6").redactPieces();
    const long = "s".repeat(2_000_000);
    const before = performance.now();
    expect((held.push(long) + held.flush()).length).toBe(long.length);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
