import type { ContentVerdict } from "../../kernel/model/ports.ts";
import { type CompiledPattern, compilePattern } from "./compile-pattern.ts";
import type { MatchReply, MatchRequest } from "./match-message.ts";

// The entry of the worker; imported only as a string, with `?worker-source`. It sees the two globals that a browser's
// worker has; `startWorker` makes them for Node's.
interface WorkerScope {
  postMessage?: (reply: MatchReply) => void;
  onmessage?: (event: { readonly data: MatchRequest }) => void;
}

const MOST_KEPT = 32;
const kept = new Map<string, CompiledPattern>();
const scope = globalThis as unknown as WorkerScope;

// A loader that does not know `?worker-source` would run this file in the main thread or in the page: then it does nothing.
const { postMessage } = scope;
const isPage = "window" in globalThis;
if (postMessage !== undefined && !isPage) {
  scope.onmessage = ({ data }) => postMessage({ id: data.id, verdict: judge(data) });
  postMessage({ ready: true });
}

function judge({ text, pattern, flags }: MatchRequest): ContentVerdict {
  try {
    return compiled(pattern, flags).test(text) ? "present" : "missing";
  } catch {
    // Invalid patterns are refused when they are saved; one that slips through must not fail good answers.
    return "inconclusive";
  }
}

/** The same few patterns come again and again, and a compiled one gets faster with use. */
function compiled(pattern: string, flags: string): CompiledPattern {
  const key = `${flags}/${pattern}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = compilePattern(pattern, flags);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}
