import { expect, inject, test } from "vitest";

const bundle = inject("bundle");

test("T14: the bundle has no imports, which the host can't load", () => {
  expect(bundle).not.toMatch(/\bimport\s*[("'{*]|\bfrom\s*["'][^"']+["']\s*;|^export\b/m);
  expect(bundle).not.toMatch(/https?:\/\/(?:cdn|unpkg|esm)\b|testingcf\.jsdelivr/);
  expect(bundle).toContain("globalThis.Vue");
});

test("T14: the bundle can be inlined into a script element", () => {
  expect(bundle).not.toMatch(/<\/script|<script|<!--/i);
  // The host would take these for macros.
  expect(bundle).not.toMatch(/\{\{\w+\}\}/);
  expect(bundle.length).toBeLessThan(700_000);
  // Otherwise the host may put a proxy between the script and the page, and clean up after it.
  expect(bundle).toContain("pagehide");
});

test("T14: the bundle is plain ASCII, so that it works with any encoding", () => {
  expect(bundle).toMatch(/^[\n\t -~]*$/);
});

test("T11: the importable file is a disabled script with its button, exported without its data, which may contain keys", () => {
  expect(JSON.parse(inject("importable"))).toEqual({
    type: "script",
    enabled: false,
    name: "Secondwind",
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    content: bundle,
    info: expect.any(String),
    button: { enabled: true, buttons: [{ name: "Toggle Auto-Retry", visible: true }] },
    data: {},
    export_with: { data: false, button: true },
  });
});
