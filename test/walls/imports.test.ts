import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const SRC = resolve(dirname(fileURLToPath(import.meta.url)), "../../src");

/** Who may import whom, by folder below src. A folder may always import itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  presets: ["kernel"],
  system: ["kernel"],
  wire: ["kernel"],
  credentials: ["kernel"],
  providers: ["kernel", "presets", "system", "library", "formats", "adapters", "wire", "simulator", "credentials"],
  store: ["kernel", "wire"],
  turn: ["kernel", "presets", "system", "library", "wire", "providers"],
  session: ["kernel", "presets", "system", "library", "wire", "providers", "store", "turn"],
  library: ["kernel", "presets", "system"],
  // The wire formats: what requests ask for and what answers mean. Pure; runs in browsers too.
  formats: ["kernel"],
  // One folder for each import path that brings the engine to other libraries or to tests. How parts of the AI SDK are judged stands
  // there too, for the providers.
  adapters: ["kernel", "presets", "system", "library", "formats", "simulator"],
  simulator: ["kernel", "presets", "system", "library"],
  // Bytes in, bytes out: a handler for any node:http server.
  gateway: ["kernel", "presets", "system", "library", "formats", "providers"],
  activity: ["kernel", "presets", "system", "library", "wire", "store", "simulator"],
  // Durable generations behind one port: SQLite, or Redis with BullMQ.
  jobs: ["kernel", "presets", "system", "library", "wire", "providers", "store"],
  // The Redis side of shared health; its rules are in the kernel.
  "shared-health": ["kernel", "system"],
  // Errors and policies in words, for every host that explains them; runs in browsers too.
  explain: ["kernel", "presets"],
  // Vue components that the SillyTavern panel and the web page share.
  components: ["kernel", "explain"],
  assembly: ["kernel", "system", "wire", "credentials", "providers", "store", "session", "jobs", "shared-health"],
  terminal: ["kernel"],
  hosts: [
    "kernel",
    "presets",
    "system",
    "library",
    "simulator",
    "terminal",
    "wire",
    "credentials",
    "providers",
    "store",
    "turn",
    "session",
    "assembly",
    // The version stands in package.json.
    "..",
    "activity",
    "jobs",
    "gateway",
    "explain",
    "components",
    "index.ts",
  ],
  "index.ts": ["kernel", "presets", "system", "library"],
  // The version stands in package.json.
  cli: ["hosts", "kernel", "terminal", ".."],
  "cli.ts": ["cli"],
};

/** The same inside the kernel: the flow reads from left to right, and only the loop knows all the steps. */
const KERNEL_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  classify: ["model"],
  health: ["model", "classify"],
  attempt: ["model"],
  decide: ["model", "health"],
  shared: ["model", "classify", "health", "decide"],
  finish: ["model"],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|tsx|vue)$/.test(name))
    .map((name) => join(folder, name));
}

/** Every import and re-export of a file, static and dynamic, as written. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].map((match) => match[1] as string);
}

function relativeImports(folder: string): Import[] {
  return sources(folder).flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({ from: relative(SRC, file), to: relative(SRC, resolve(dirname(file), specifier)) })),
  );
}

const top = (path: string): string => path.split("/")[0] as string;
const second = (path: string): string => path.split("/")[1] as string;

describe("walls", () => {
  test("E12: folders import only in the direction of the design", () => {
    const wrong = relativeImports(SRC).filter(({ from, to }) => {
      if (top(from) === top(to)) return false;
      return !(MAY_IMPORT[top(from)] ?? []).includes(top(to));
    });
    expect(wrong).toEqual([]);
  });

  test("E12: every folder below src has its place in the design", () => {
    const unknown = readdirSync(SRC).filter((name) => !(name in MAY_IMPORT));
    expect(unknown).toEqual([]);
  });

  test("E12: the kernel imports nothing from outside, not even a library", () => {
    const foreign = sources(join(SRC, "kernel")).flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !specifier.startsWith("."))
        .map((specifier) => `${relative(SRC, file)} imports ${specifier}`),
    );
    expect(foreign).toEqual([]);
  });

  test("E12: the native database is loaded in one place, and only when a store is opened", () => {
    const loads = sources(SRC).filter((file) => importsOf(file).includes("libsql"));
    expect(loads.map((file) => relative(SRC, file))).toEqual(["store/sqlite/load-driver.ts"]);
    // The types are gone when it runs; what is left must be a call.
    const text = readFileSync(loads[0] as string, "utf8").replace(/^import type .*$/gm, "");
    expect(text.match(/.*"libsql".*/g)).toEqual([expect.stringContaining('import("libsql")')]);
  });

  test("E12: Ink and React are known to the view of the chat alone, and that is loaded only when it runs", () => {
    const paints = sources(SRC).filter((file) => importsOf(file).some((name) => name === "ink" || name === "react"));
    expect(paints.filter((file) => !relative(SRC, file).startsWith("hosts/chat/view/"))).toEqual([]);
    const users = relativeImports(SRC).filter(
      ({ from, to }) => to.startsWith("hosts/chat/view/") && !from.startsWith("hosts/chat/view/"),
    );
    expect(users).toEqual([{ from: "hosts/chat/load-view.ts", to: "hosts/chat/view/show-chat.tsx" }]);
    expect(readFileSync(join(SRC, "hosts/chat/load-view.ts"), "utf8")).toContain('import("./view/show-chat.tsx")');
  });

  test("E12: inside the kernel only the loop knows all the steps", () => {
    const wrong = relativeImports(join(SRC, "kernel")).filter(({ from, to }) => {
      const [source, target] = [second(from), second(to)];
      const isStep = source in KERNEL_MAY_IMPORT;
      return isStep && source !== target && !(KERNEL_MAY_IMPORT[source] ?? []).includes(target);
    });
    expect(wrong).toEqual([]);
  });

  test("E12: no host imports another host", () => {
    const wrong = relativeImports(join(SRC, "hosts")).filter(
      ({ from, to }) => top(to) === "hosts" && second(from) !== second(to),
    );
    expect(wrong).toEqual([]);
  });

  test("E12: what the kernel is compiled with has no timer, no fetch and no process", () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(SRC, "kernel/tsconfig.json"), "utf8")) as {
      compilerOptions: { lib: string[]; types: string[] };
    };
    expect(compilerOptions).toMatchObject({ lib: ["ES2023"], types: [] });
  });
});
