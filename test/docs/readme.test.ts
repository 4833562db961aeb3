import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

describe("the README", () => {
  test("shows an example that is type-checked, word by word", () => {
    const example = readFileSync(join(ROOT, "examples/quick-start.ts"), "utf8");
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  test("links to nothing that is not there", () => {
    const documents = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/policies.md", "docs/providers.md"];
    for (const document of documents) {
      const text = readFileSync(join(ROOT, document), "utf8");
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] as string);
      const broken = links.filter((link) => !existsSync(resolve(ROOT, dirname(document), link)));
      expect(broken, document).toEqual([]);
    }
  });

  test("names only commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const contributing = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    const named = [...`${readme}${contributing}`.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] as string);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });
});
