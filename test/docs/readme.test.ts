import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const list = (folder: string, extension: string): string[] =>
  readdirSync(join(ROOT, folder), { encoding: "utf8" })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));

const documents = [".", "docs", "docs/decisions", "examples"].flatMap((folder) => list(folder, ".md"));

describe("the documents", () => {
  test("show only examples that are type-checked, word by word", () => {
    const examples = [...list("examples", ".ts"), ...list("examples", ".tsx")].map(read);
    const shown = [
      "README.md",
      "library",
      "session",
      "extensions",
      "providers",
      "simulator",
      "testing",
      "fetch",
      "ai-sdk",
      "gateway",
    ];
    for (const document of shown.map((name) => (name.endsWith(".md") ? name : `docs/${name}.md`))) {
      const snippets = [...read(document).matchAll(/^(`{3,})tsx?\n(.*?)^\1$/gms)].map((match) => match[2] as string);
      expect(snippets.length, document).toBeGreaterThan(0);
      for (const snippet of snippets) expect(examples, document).toContain(snippet);
    }
  });

  test("import only from the package, in documents and in examples", () => {
    for (const text of [...documents, ...list("examples", ".ts"), ...list("examples", ".tsx")]) {
      const inside = [...read(text).matchAll(/from "(\.{1,2}\/[^"]*)"/g)].map((match) => match[1]);
      expect(inside, text).toEqual([]);
    }
  });

  test("link only to files and headings that exist", () => {
    for (const document of documents) {
      const broken = linksOf(document).filter((link) => !isThere(document, link));
      expect(broken, document).toEqual([]);
    }
  });

  test("name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const document of documents) {
      const named = [...read(document).matchAll(/npm run ([a-z0-9:-]+)/g)].map((match) => match[1] as string);
      expect(
        named.filter((name) => !(name in scripts)),
        document,
      ).toEqual([]);
    }
    expect(read("CONTRIBUTING.md")).toContain("npm run conformance");
  });

  test("show pictures of less than 300 kB, an animation included", () => {
    const pictures = [...list("docs/images", ".png"), ...list("docs/images", ".svg")];
    const heavy = pictures.filter((picture) => statSync(join(ROOT, picture)).size > 300_000);
    expect(heavy).toEqual([]);
    expect(pictures).toContain("docs/images/demo.svg");
  });
});

function linksOf(document: string): string[] {
  const text = read(document).replace(/^(`{3,}).*?^\1$/gms, "");
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map((match) => match[1] as string);
}

function isThere(document: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** The anchors of a document as GitHub makes them: lower case, without punctuation, hyphens for spaces. */
function headingsOf(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
