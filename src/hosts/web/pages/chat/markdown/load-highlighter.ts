type Highlight = typeof import("./highlight.ts").highlightCode;

let loading: Promise<Highlight | undefined> | undefined;

/** Loaded once, with the first code block. Undefined: the server is away, and code stays plain. */
export function loadHighlighter(): Promise<Highlight | undefined> {
  loading ??= import("./highlight.ts").then(
    ({ highlightCode }) => highlightCode,
    () => {
      loading = undefined;
      return undefined;
    },
  );
  return loading;
}
