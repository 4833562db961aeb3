import type { Reading } from "../kernel/index.ts";
import type { ProviderEvent } from "./provider.ts";
import { ProviderProblem } from "./provider-problem.ts";

/** What an event means to the engine: the `inspect` of the library's `stream()`. */
export function inspect(event: ProviderEvent): Reading {
  switch (event.type) {
    case "text":
      return event.text === "" ? "noise" : "content";
    case "reasoning":
      return event.text === "" && event.providerData === undefined ? "noise" : "content";
    case "tool-call":
    case "usage":
      return "content";
    case "alive":
      return event.isProgress === true ? "life" : "noise";
    case "finish":
      return "end";
    case "error":
      // Without K8's flag: it follows from the status, and the classifier knows more than that (a 408, a quota).
      return { problem: new ProviderProblem(event) };
    default:
      return event satisfies never;
  }
}

/** The text of an event, for required content: reasoning is not the answer. */
export function eventText(event: ProviderEvent): string | undefined {
  return event.type === "text" ? event.text : undefined;
}
