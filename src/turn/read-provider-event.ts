import type { Reading } from "../kernel/index.ts";
import type { ProviderError, ProviderEvent } from "../providers/provider.ts";

/** What an event of a provider means to the engine. */
export function readProviderEvent(event: ProviderEvent, toProblem: (error: ProviderError) => unknown): Reading {
  switch (event.type) {
    case "text":
      return event.text === "" ? "noise" : "content";
    case "reasoning":
      if (event.text !== "") return "content";
      // A signature alone: nothing that the reader would miss, but the model is at work.
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
