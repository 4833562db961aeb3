/** A JSON value that knows the line it begins on. */
export type Located =
  | { readonly line: number; readonly type: "object"; readonly fields: ReadonlyMap<string, Located> }
  | { readonly line: number; readonly type: "array"; readonly items: readonly Located[] }
  | { readonly line: number; readonly type: "plain"; readonly value: string | number | boolean | null };

/** Says where: `line 3: …`. `JSON.parse` does not, on Node 20. */
export class JsonFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const DEEPEST = 64;

/** Parses JSON and keeps the lines. Throws `JsonFault`. */
export function parseJsonLines(text: string): Located {
  let at = 0;
  const lineHere = (): number => text.slice(0, at).split("\n").length;
  const fail = (message: string): never => {
    throw new JsonFault(lineHere(), message);
  };
  const skip = (): void => {
    while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  };
  const shown = (): string => (at >= text.length ? "the end of the file" : JSON.stringify(text.charAt(at)));
  const take = (char: string, where: string): void => {
    skip();
    if (text[at] !== char) fail(`expected ${JSON.stringify(char)} ${where}, found ${shown()}`);
    at += 1;
  };

  function plain(): string | number | boolean | null {
    const found = /^(?:"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/.exec(text.slice(at, at + 100_000))?.[0];
    if (found === undefined) return fail(`expected a JSON value, found ${shown()}`);
    try {
      const value: string | number | boolean | null = JSON.parse(found);
      at += found.length;
      return value;
    } catch {
      return fail(`${found.slice(0, 40)} is not a JSON value`);
    }
  }

  /** `item` reads one, until the closing bracket. */
  function members(close: string, item: () => void): void {
    at += 1;
    skip();
    if (text[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      item();
      skip();
      if (text[at] !== ",") break;
      at += 1;
    }
    take(close, 'or "," here');
  }

  function value(depth: number): Located {
    skip();
    const line = lineHere();
    if (depth > DEEPEST) fail("nested too deep");
    if (text[at] === "{") {
      const fields = new Map<string, Located>();
      members("}", () => {
        skip();
        if (text[at] !== '"') fail(`expected a field name in double quotes, found ${shown()}`);
        const name = String(plain());
        if (fields.has(name)) fail(`the field ${JSON.stringify(name)} is there twice`);
        take(":", `after ${JSON.stringify(name)}`);
        fields.set(name, value(depth + 1));
      });
      return { line, type: "object", fields };
    }
    if (text[at] === "[") {
      const items: Located[] = [];
      members("]", () => void items.push(value(depth + 1)));
      return { line, type: "array", items };
    }
    return { line, type: "plain", value: plain() };
  }

  const whole = value(0);
  skip();
  if (at < text.length) fail(`expected the end of the file, found ${shown()}`);
  return whole;
}
