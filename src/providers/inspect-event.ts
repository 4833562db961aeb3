import type { Reading } from "../kernel/index.ts";
import type { ProviderError, ProviderEvent } from "./provider.ts";
import { ProviderProblem } from "./provider-problem.ts";

/** What an event of a provider means to the engine. `toProblem` makes what the classifier gets for an error event. */
export function inspectEvent(
  event: ProviderEvent,
  toProblem: (error: ProviderError) => unknown = (error) => new ProviderProblem(error),
): Reading {
  switch (event.type) {
    case "text":
      return event.text === "" ? "noise" : "content";
    case "reasoning":
      if (event.text !== "") return "content";
      // A signature alone commits to nothing: the reader would not miss it. But the model is at work.
      return event.providerData === undefined ? "noise" : "life";
    case "tool-call":
    case "usage":
      return "content";
    case "alive":
      return event.isProgress === true ? "life" : "noise";
    case "finish":
      return "end";
    case "error":
      return { problem: toProblem(event) };
    default:
      return event satisfies never;
  }
}
