import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "../..");
const DIST = join(ROOT, "dist");
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, { types: string } | string>;
};
/** Every subpath of the package with its declarations. The package must be built. */
export const SUBPATHS = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === "string" ? [] : [{ subpath: subpath.replace(/^\./, "secondwind"), file: join(ROOT, target.types) }],
);

const ENGINE = join(DIST, "index.d.ts");
const KERNEL = join(DIST, "kernel");

const program = ts.createProgram(
  SUBPATHS.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [], noEmit: true },
);
const checker = program.getTypeChecker();

/** The symbol itself, whatever name it was imported under. */
function origin(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** `AbortSignal`, which the kernel declares for projects without the DOM's types. */
function isGlobal(symbol: ts.Symbol): boolean {
  return checker.resolveName(symbol.name, undefined, ts.SymbolFlags.Type, false) === symbol;
}

function exportsOf(file: string): Map<ts.Symbol, string> {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module: build the package first`);
  return new Map(checker.getExportsOfModule(module).map((symbol) => [origin(symbol), symbol.name]));
}

const ENGINE_TYPES = new Map([...exportsOf(ENGINE), ...exportsOf(join(KERNEL, "index.d.ts"))]);

function isHidden(node: ts.Node): boolean {
  const flags = ts.canHaveModifiers(node) ? ts.getCombinedModifierFlags(node as ts.Declaration) : 0;
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

/** Every type of this package that the public part of a declaration names, with where it is named. */
function namedIn(declaration: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : undefined;
    if (name !== undefined && ts.isIdentifier(name)) found.push(name);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration, visit);
  return found;
}

/** The types of this package that a subpath names in its signatures and does not export. */
export function missingFrom(file: string): string[] {
  const exported = exportsOf(file);
  const engine = file.startsWith(KERNEL) || file === ENGINE ? undefined : ENGINE_TYPES;
  const missing = new Set<string>();
  for (const [symbol, by] of exported) {
    // A subpath that names a type of the engine exports it; what that type names is imported from `secondwind` or its kernel.
    if (engine?.has(symbol)) continue;
    for (const declaration of symbol.declarations ?? []) {
      for (const name of namedIn(declaration)) {
        const found = checker.getSymbolAtLocation(name);
        const named = found && origin(found);
        if (named === undefined || exported.has(named) || named.flags & ts.SymbolFlags.TypeParameter) continue;
        if (isGlobal(named)) continue;
        const isOurs = named.declarations?.some((one) => one.getSourceFile().fileName.startsWith(DIST));
        if (isOurs) missing.add(`${named.name}, named by ${by}`);
      }
    }
  }
  return [...missing].sort();
}
