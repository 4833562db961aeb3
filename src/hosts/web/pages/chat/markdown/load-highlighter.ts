let loading: Promise<typeof import("./highlight.ts").highlightCode> | undefined;

/** Loaded once, with the first code block. */
export function loadHighlighter(): Promise<typeof import("./highlight.ts").highlightCode> {
  loading ??= import("./highlight.ts").then(({ highlightCode }) => highlightCode);
  return loading;
}
