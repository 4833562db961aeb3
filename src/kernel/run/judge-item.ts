import { isReading, READINGS, type Reading } from "../attempt/reading.ts";
import { InvalidInput } from "../model/invalid-input.ts";
import type { StreamSetup } from "./stream-setup.ts";

/** A source that knows what its items mean: what that depends on is then its own, and the setup can be shared by all calls. */
export interface JudgingSource<T> extends AsyncIterator<T> {
  inspect(item: T): Reading;
}

/** What an item means. Undefined: that can't be told, because the inspector is broken, which must not take the stream down. */
export function judgeItem<T>(
  item: T,
  { inspect, ports }: StreamSetup<T>,
  source: AsyncIterator<T> | undefined,
): Reading | undefined {
  if (inspect === undefined) return "content";
  try {
    const reading = inspect === "by-source" ? (source as JudgingSource<T>).inspect(item) : inspect(item);
    if (isReading(reading)) return reading;
    throw new InvalidInput("the reading of an item", reading, READINGS);
  } catch (fault) {
    ports.reportFault(fault, "inspect");
    return undefined;
  }
}
