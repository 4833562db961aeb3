import { type MatchRequest, matchText } from "./match-text.ts";
import type { MatchReply } from "./start-worker.ts";

// The entry of the worker; imported only as a string, with `?worker-source`. It uses the two globals that a browser's
// worker has; `startWorker` provides them in Node's.
interface WorkerScope {
  postMessage?: (reply: MatchReply) => void;
  onmessage?: (event: { readonly data: MatchRequest }) => void;
}

const scope = globalThis as unknown as WorkerScope;
const { postMessage } = scope;

// A loader that does not know `?worker-source` would run this file in the main thread or in the page: then it does nothing.
if (postMessage !== undefined && !("window" in globalThis)) {
  scope.onmessage = ({ data }) => postMessage(matchText(data));
  postMessage("ready");
}
