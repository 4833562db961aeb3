import type { FailureKind, StopReason } from "../../../kernel/index.ts";
import type { FailureGroup } from "../track/failure-groups.ts";
import { KIND_TEXTS, namesOf } from "./kinds.ts";
import type { Texts } from "./language.ts";
import { TRACK_ZH } from "./track-zh.ts";

/** Texts of tracks and receipts. */
const TRACK_EN = {
  units: { second: "s", minute: "min", hour: "h", day: "days" },
  /** Between a figure and its unit. */
  unitSpace: "\u00a0",
  /** By its name. */
  kinds: namesOf(KIND_TEXTS.en),
  /** A failure by its name, and what happened; also of a newer server that knows more kinds. */
  kind: (kind: FailureKind) => (KIND_TEXTS.en[kind] ?? KIND_TEXTS.en.unknown).name,
  happened: (kind: FailureKind) => (KIND_TEXTS.en[kind] ?? KIND_TEXTS.en.unknown).what,
  groups: {
    limit: "Limit",
    provider: "Provider",
    silence: "Silence",
    connection: "Connection",
    refused: "Refused",
    other: "Other",
  } as Readonly<Record<FailureGroup, string>>,
  titled: (kind: string, status: string) => (status === "" ? kind : `${kind} (${status})`),
  again: (title: string) => `${title} again`,
  end: ".",
  between: " ",
  answered: "Answered",
  answering: "Answering",
  asking: "Waiting for the first word",
  interrupted: "Interrupted by a restart",
  firstWord: (time: string) => `First word after ${time}.`,
  tokens: (count: string) => `${count} tokens.`,
  complete: "Complete.",
  keyOf: (model: string, key: string) => `${model} · ${key}`,
  asked: (time: string) => `The provider asked to wait ${time}.`,
  waited: (time: string) => `Waited ${time}.`,
  askedAndWaited: (asked: string, waited: string) => `Asked to wait ${asked}; waited ${waited}.`,
  retriedEarly: (time: string) => `Retried by hand after ${time}.`,
  gaveUp: (time: string) => `Given up after ${time} of waiting.`,
  stopped: (time: string) => `Stopped after ${time} of waiting.`,
  moved: {
    rotate: "Went on with the next key.",
    switch: "Went on with the next model.",
    revert: "Went back to the first model.",
  },
  waitingFor: (time: string) => `The next attempt is in ${time}.`,
  /** One line of a receipt. */
  lineWaited: (time: string) => `waited ${time}`,
  lineFirstWord: (time: string) => `first word after ${time}`,
  lineAnswered: (tokens: string) => (tokens === "" ? "Answered" : `Answered, ${tokens} tokens`),
  summary: {
    complete: "Complete",
    truncated: "Incomplete",
    failed: "Failed",
    stopped: "Stopped",
    running: "Running",
  },
  attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
  receipt: "Receipt",
  earlier: (count: number) =>
    count === 1 ? "1 earlier attempt is not shown." : `${count} earlier attempts are not shown.`,
  /** The sentence that stands for a track. */
  sentence: {
    failed: (kind: string) => `failed (${kind})`,
    wait: (time: string) => `waited ${time}`,
    answered: (time: string) => `answered after ${time}`,
    brokeOff: (kind: string) => `broke off after content (${kind})`,
    answering: "is answering",
    asking: "waits for the first word",
    waiting: "is waiting for the next attempt",
    attempt: (number: number) => `attempt ${number}`,
    joined: (parts: readonly string[]) => `${parts.join(", then ")}.`,
    more: (count: number) => `${count} more steps`,
  },
  outcomes: {
    first: "at first",
    retried: (retries: number) => (retries === 1 ? "after 1 retry" : `after ${retries} retries`),
    asking: "asking",
    answering: "answering",
    waiting: (time: string) => `retry in ${time}`,
    retrying: "retrying",
    stopped: "stopped",
    gaveUp: "given up",
    interrupted: "interrupted",
    truncated: "broke off",
    byKind: {
      rate_limit: "rate limited",
      usage_limit: "quota used up",
      overloaded: "overloaded",
      server: "server error",
      network: "no connection",
      timeout: "timed out",
      stalled: "stalled",
      silent: "no answer",
      invalid_content: "invalid answer",
      stream_broken: "broke off",
      context_overflow: "too long",
      auth: "key refused",
      permission: "not allowed",
      bad_request: "bad request",
      not_found: "not found",
      content_filter: "blocked",
      aborted: "stopped",
      unknown: "failed",
    } as Readonly<Record<FailureKind, string>>,
    byReason: {
      "hand-over": "too long",
      "no-target": "no model free",
      "retry-budget": "retry budget spent",
      "engine-fault": "internal error",
      disabled: "not retried",
      filtered: "not retried",
    } as Readonly<Partial<Record<StopReason, string>>>,
  },
};

export type TrackTexts = typeof TRACK_EN;
export const TRACK_TEXTS: Texts<TrackTexts> = { en: TRACK_EN, zh: TRACK_ZH };
