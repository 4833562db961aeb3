import { often } from "../../support/soak.ts";
import type { Transcript } from "./transcripts.ts";

/** The event that ends an answer, up to the end of its data. */
const TERMINAL =
  /data: (?:[^\n]*"finish_reason":"[^\n]*|\{"type":"response\.(?:completed|incomplete)"[^\n]*|\{"type":"message_stop"\}|[^\n]*"finishReason":"[^\n]*)/;

/** Where the terminal event ends, in bytes. */
export function endOf({ name, bytes }: Transcript): number {
  const text = Buffer.from(bytes).toString("latin1");
  const found = TERMINAL.exec(text);
  if (found === null) throw new Error(`${name} has no terminal event`);
  return found.index + found[0].length;
}

/** Every byte in a soak; otherwise every eleventh, and all around the borders of events, where most can go wrong. */
export function placesIn({ bytes }: Transcript, first: number): readonly number[] {
  const isNear = (place: number): boolean => bytes.subarray(Math.max(0, place - 2), place + 2).includes(10);
  const step = often(11, 1);
  return Array.from({ length: bytes.length + 1 }, (_, place) => place).filter(
    (place) => place % step === first % step || isNear(place),
  );
}

/** Every byte in a soak; otherwise so many of those places, each time other ones. */
export function fewPlacesIn(transcript: Transcript, most: number): readonly number[] {
  const all = placesIn(transcript, 0);
  const step = Math.max(1, Math.floor(all.length / often(most, all.length)));
  const first = Math.floor(Math.random() * step);
  return all.filter((_, at) => at % step === first);
}
