import type { HealthItem, HealthView } from "../../../../wire/http/activity.ts";
import type { IconName } from "../../icons/paths.ts";
import type { ActivityTexts } from "../../texts/activity.ts";
import { sayClock } from "../../track/say-time.ts";

/** A card of the health strip. */
export interface HealthCard {
  readonly key: string;
  /** Absent: nothing to clear. */
  readonly id?: string;
  readonly name: string;
  readonly text: string;
  readonly tone: "bad" | "wait" | "fine";
  readonly icon: IconName;
}

const ORDER: Readonly<Record<HealthItem["type"], number>> = { breaker: 0, cooldown: 1, recovering: 2 };

/** Trouble first, then what is fine. */
export function sayHealth({ items, fine }: HealthView, texts: ActivityTexts, nowMs: number): readonly HealthCard[] {
  const trouble = [...items]
    .sort((one, other) => ORDER[one.type] - ORDER[other.type] || (one.until ?? 0) - (other.until ?? 0))
    .map((item) => sayItem(item, texts, nowMs));
  const rest = fine.map(
    (provider): HealthCard => ({
      key: `fine ${provider}`,
      name: provider,
      text: texts.health.fine,
      tone: "fine",
      icon: "check",
    }),
  );
  return [...trouble, ...rest];
}

function sayItem(item: HealthItem, { health }: ActivityTexts, nowMs: number): HealthCard {
  const name = [item.provider, item.model, item.credential].filter((part) => part).join(" · ");
  const base = { key: item.id, name };
  const leftMs = item.until === undefined ? undefined : item.until - nowMs;
  const left = leftMs === undefined ? "" : sayClock(leftMs);
  const isOver = leftMs !== undefined && leftMs <= 0;
  switch (item.type) {
    case "breaker":
      return {
        ...base,
        id: item.id,
        tone: "bad",
        icon: "breaker",
        text: isOver ? health.probing : health.breaker(left),
      };
    case "cooldown":
      return { ...base, id: item.id, tone: "wait", icon: "cold", text: isOver ? health.cooled : health.cooldown(left) };
    case "recovering":
      return { ...base, tone: "fine", icon: "trend", text: health.recovering(Math.round((item.share ?? 0) * 100)) };
    default:
      item.type satisfies never;
      return { ...base, tone: "fine", icon: "check", text: "" };
  }
}
