import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Regenerated {
  readonly is: string;
  readonly shouldBe: string;
  write(): void;
}

/** A file of docs/ with the parts between its marks made anew: `<!-- name -->` to `<!-- end of name -->`. */
export function regenerated(file: string, parts: Readonly<Record<string, string>>): Regenerated {
  const path = fileURLToPath(new URL(`../../docs/${file}`, import.meta.url));
  const is = readFileSync(path, "utf8");
  const shouldBe = Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->)[^]*?(<!-- end of ${name} -->)`),
        (_, start, end) => `${start}\n\n${part}\n\n${end}`,
      ),
    is,
  );
  return { is, shouldBe, write: () => writeFileSync(path, shouldBe) };
}
