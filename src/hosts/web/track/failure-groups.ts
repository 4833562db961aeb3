import type { FailureKind } from "../../../kernel/index.ts";

/** Kinds that a reader sees as one: each group has a color, an icon and a texture. */
export const FAILURE_GROUPS = ["limit", "provider", "silence", "connection", "refused", "other"] as const;
export type FailureGroup = (typeof FAILURE_GROUPS)[number];

/** Names of the page's icons. */
export type FailureIcon =
  | "gauge"
  | "battery"
  | "bars"
  | "servers"
  | "clock"
  | "pause"
  | "broken"
  | "key"
  | "ban"
  | "page"
  | "why"
  | "square";

interface Look {
  readonly group: FailureGroup;
  readonly icon: FailureIcon;
}

const LOOKS: Readonly<Record<FailureKind, Look>> = {
  rate_limit: { group: "limit", icon: "gauge" },
  usage_limit: { group: "limit", icon: "battery" },
  overloaded: { group: "provider", icon: "bars" },
  server: { group: "provider", icon: "servers" },
  timeout: { group: "silence", icon: "clock" },
  silent: { group: "silence", icon: "clock" },
  stalled: { group: "silence", icon: "pause" },
  network: { group: "connection", icon: "broken" },
  stream_broken: { group: "connection", icon: "broken" },
  auth: { group: "refused", icon: "key" },
  permission: { group: "refused", icon: "key" },
  bad_request: { group: "refused", icon: "ban" },
  not_found: { group: "refused", icon: "ban" },
  content_filter: { group: "refused", icon: "ban" },
  context_overflow: { group: "refused", icon: "page" },
  unknown: { group: "other", icon: "why" },
  invalid_content: { group: "other", icon: "page" },
  aborted: { group: "other", icon: "square" },
};

/** A kind that a newer server has and this page does not know is shown as unknown. */
export const lookOf = (kind: FailureKind): Look => LOOKS[kind] ?? LOOKS.unknown;
export const groupOf = (kind: FailureKind): FailureGroup => lookOf(kind).group;
export const iconOf = (kind: FailureKind): FailureIcon => lookOf(kind).icon;

/** The icon of a group stands for its most frequent kind. */
export const GROUP_ICONS: Readonly<Record<FailureGroup, FailureIcon>> = {
  limit: "gauge",
  provider: "bars",
  silence: "clock",
  connection: "broken",
  refused: "key",
  other: "square",
};
