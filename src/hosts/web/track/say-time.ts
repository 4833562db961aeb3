import type { TrackTexts } from "../texts/track.ts";

type TimeTexts = Pick<TrackTexts, "units" | "unitSpace">;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long something took: "0.4 s", "57.0 s", "2 min 4 s", "1 h 5 min". */
export function sayTook(ms: number, texts: TimeTexts): string {
  const whole = Math.max(0, ms) || 0;
  // Rounded before the unit is chosen: 59.96 s is a minute.
  if (whole < MINUTE - 50) return unit((Math.round(whole / 100) / 10).toFixed(1), "second", texts);
  return sayLong(whole, texts);
}

/** A wait as people say it: "5 s", "2.4 s", "1 min 52 s". */
export function sayWait(ms: number, texts: TimeTexts): string {
  const whole = Math.max(0, ms) || 0;
  if (whole < 10 * SECOND - 50) return unit(`${Math.round(whole / 100) / 10}`, "second", texts);
  if (whole < MINUTE - SECOND / 2) return unit(`${Math.round(whole / SECOND)}`, "second", texts);
  return sayLong(whole, texts);
}

function sayLong(ms: number, texts: TimeTexts): string {
  if (ms < HOUR - SECOND / 2) {
    const seconds = Math.round(ms / SECOND);
    return twoParts([Math.floor(seconds / 60), "minute"], [seconds % 60, "second"], texts);
  }
  const minutes = Math.round(ms / MINUTE);
  return twoParts([Math.floor(minutes / 60), "hour"], [minutes % 60, "minute"], texts);
}

type Amount = readonly [number, keyof TimeTexts["units"]];

function twoParts([large, largeUnit]: Amount, [small, smallUnit]: Amount, texts: TimeTexts): string {
  const whole = unit(`${large}`, largeUnit, texts);
  return small === 0 ? whole : `${whole}${texts.unitSpace}${unit(`${small}`, smallUnit, texts)}`;
}

function unit(figure: string, name: keyof TimeTexts["units"], { units, unitSpace }: TimeTexts): string {
  return `${figure}${unitSpace}${units[name]}`;
}

/** A countdown in whole seconds, which never shows 0 before its time: "5 s" below a minute, then "1:52", then "1:05:00". */
export function sayLeft(ms: number, texts: TimeTexts): string {
  const seconds = secondsLeft(ms);
  return seconds < 60 ? unit(`${seconds}`, "second", texts) : clock(seconds);
}

/** Always as a clock: "0:48", "1:52", "1:05:00". */
export function sayClock(ms: number): string {
  return clock(secondsLeft(ms));
}

export const secondsLeft = (ms: number): number => Math.max(0, Math.ceil(ms / SECOND));

function clock(seconds: number): string {
  const two = (figure: number): string => `${figure}`.padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

/** 1,284 in English and in Chinese alike: tabular figures line up. */
export const sayCount = (count: number): string => `${Math.round(count)}`.replace(/\B(?=(?:\d{3})+$)/g, ",");
