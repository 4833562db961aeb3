import { shallowRef } from "vue";
import type { FailureKind } from "../../../../../kernel/index.ts";

type Classify = typeof import("./classify-message.ts").classifyMessage;

const classifier = shallowRef<Classify>();
let loading: Promise<void> | undefined;

/** Called when a turn starts, so that the classifier is there when the first failure is. It is too large for the first page. */
export function loadClassifier(): Promise<void> {
  loading ??= import("./classify-message.ts").then(
    ({ classifyMessage }) => {
      classifier.value = classifyMessage;
    },
    () => {
      // The server is away. The next failure loads it.
      loading = undefined;
    },
  );
  return loading;
}

/** K7: what kind of failure a message and code stand for. HTTP 5xx counts as overloaded, whatever its text. */
export function kindOf(message: string, code: string | undefined): FailureKind | undefined {
  if (code !== undefined && /^5\d\d$/.test(code)) return "overloaded";
  if (classifier.value === undefined) {
    void loadClassifier();
    return undefined;
  }
  return classifier.value(message, code);
}
