/** A syntax error with its line, which `JSON.parse` does not report on Node 20. */
export class JsonFault extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const DEEPEST = 64;

/** Parses JSON and records the line of each value under its path: `root.models.m[1].do`. Throws `JsonFault`. */
export function parseJsonLines(text: string, root: string, lines: Map<string, number>): unknown {
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

  function plain(): unknown {
    const found = /^(?:"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/.exec(text.slice(at, at + 100_000))?.[0];
    if (found === undefined) return fail(`expected a JSON value, found ${shown()}`);
    try {
      const value: unknown = JSON.parse(found);
      at += found.length;
      return value;
    } catch {
      return fail(`${found.slice(0, 40)} is not a JSON value`);
    }
  }

  /** Reads members with `read` until the closing bracket. */
  function members<T>(close: string, read: (n: number) => T): T[] {
    const found: T[] = [];
    at += 1;
    skip();
    while (found.length > 0 || text[at] !== close) {
      found.push(read(found.length));
      skip();
      if (text[at] !== ",") break;
      at += 1;
    }
    take(close, 'or "," here');
    return found;
  }

  function value(path: string, depth: number): unknown {
    skip();
    if (depth > DEEPEST) fail("nested too deep");
    lines.set(path, lineHere());
    if (text[at] === "[") return members("]", (n) => value(`${path}[${n}]`, depth + 1));
    if (text[at] !== "{") return plain();
    const fields = new Map<string, unknown>();
    members("}", () => {
      skip();
      if (text[at] !== '"') fail(`expected a field name in double quotes, found ${shown()}`);
      const name = String(plain());
      if (fields.has(name)) fail(`duplicate field ${JSON.stringify(name)}`);
      take(":", `after ${JSON.stringify(name)}`);
      fields.set(name, value(`${path}.${name}`, depth + 1));
    });
    return Object.fromEntries(fields);
  }

  const whole = value(root, 0);
  skip();
  if (at < text.length) fail(`expected the end of the file, found ${shown()}`);
  return whole;
}
