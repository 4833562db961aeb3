export type Key = "retry-now" | "give-up";

/** The part of `process.stdin` that keys need. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  off(event: "data", listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Reads single keys until the returned function is called. Does nothing if the input is not a terminal. */
export function readKeys(input: KeyInput, onKey: (key: Key) => void): () => void {
  if (input.isTTY !== true || input.setRawMode === undefined) return () => undefined;
  const listen = (chunk: Buffer): void => {
    const key = keyOf(chunk.toString("utf8"));
    if (key !== undefined) onKey(key);
  };
  // In raw mode Ctrl-C is an ordinary key, not a signal.
  input.setRawMode(true);
  input.on("data", listen);
  input.resume();
  return () => {
    input.off("data", listen);
    input.setRawMode?.(false);
    input.pause();
  };
}

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ESCAPE = "\u001b";

/** Ignores arrow and function keys, which come as longer sequences. */
export function keyOf(chunk: string): Key | undefined {
  if (chunk.includes(CTRL_C)) return "give-up";
  if (chunk.startsWith(ESCAPE)) return undefined;
  for (const char of chunk) {
    if (char === "\r" || char === "\n") return "retry-now";
    if (char === "q" || char === "Q" || char === CTRL_D) return "give-up";
  }
  return undefined;
}
