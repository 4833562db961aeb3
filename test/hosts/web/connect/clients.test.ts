import { describe, expect, test } from "vitest";
import { baseUrlsOf, CLIENT_NAMES, PRODUCTS, snippetsFor } from "../../../../src/hosts/web/pages/connect/clients.ts";
import { CONNECT_TEXTS } from "../../../../src/hosts/web/texts/connect.ts";

const ORIGIN = "http://127.0.0.1:4747";

describe("the set-ups of the page Connect an application", () => {
  test("K6: every application has a name, a note in both languages and a set-up", () => {
    for (const name of CLIENT_NAMES) {
      if (name !== "environment") expect(PRODUCTS[name]).not.toBe("");
      for (const texts of [CONNECT_TEXTS.en, CONNECT_TEXTS.zh]) expect(texts.notes[name]).not.toBe("");
      const titles = snippetsFor(name, ORIGIN).map(({ title }) => title);
      expect(new Set(titles).size).toBe(titles.length);
    }
    expect(Object.keys(CONNECT_TEXTS.en.notes)).toEqual([...CLIENT_NAMES]);
  });

  test("K6: clients that add the version themselves get an address without it, all others with it", () => {
    const addressesIn = (name: (typeof CLIENT_NAMES)[number]): readonly string[] =>
      snippetsFor(name, ORIGIN).flatMap(({ text }) =>
        [...text.matchAll(/http:\/\/127\.0\.0\.1:4747[^\s"']*/g)].map(String),
      );
    for (const name of ["anthropic", "google", "claude-code", "gemini-cli"] as const)
      expect(new Set(addressesIn(name)), name).toEqual(new Set([ORIGIN]));
    for (const name of ["openai", "langchain", "codex", "sillytavern"] as const)
      expect(new Set(addressesIn(name)), name).toEqual(new Set([`${ORIGIN}/v1`]));
    expect(baseUrlsOf(ORIGIN).map(({ url }) => url)).toEqual([
      `${ORIGIN}/v1`,
      ORIGIN,
      ORIGIN,
      `${ORIGIN}/openrouter/v1`,
    ]);
  });

  test("K6: what is JSON is valid JSON", () => {
    for (const name of CLIENT_NAMES)
      for (const { title, text } of snippetsFor(name, ORIGIN))
        if (title.endsWith(".json")) expect(() => JSON.parse(text)).not.toThrow();
  });
});
