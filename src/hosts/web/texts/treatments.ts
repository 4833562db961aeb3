import type { StopReason } from "../../../kernel/index.ts";
import type { Texts } from "./language.ts";

/** The parts of the sentences that say what a policy does about a failure. */
const en = {
  /** `text` starts a sentence. */
  sentence: (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  /** Between sentences. */
  between: " ",
  otherwise: (places: readonly ("key" | "model")[], rest: string) =>
    `tries another ${places.join(" or ")} if there is one; else ${rest}`,
  atOnce: (limit: string) => `retries at once${limit}`,
  waits: (time: string, limit: string) => `waits ${time}, then retries${limit}`,
  upTo: (time: string) => `up to ${time}`,
  limit: (parts: readonly string[]) => (parts.length === 0 ? " (no limit)" : ` (${parts.join(", ")})`),
  times: (count: number) => (count === 1 ? "once" : `at most ${count} times`),
  inAll: (time: string) => `up to ${time} of waiting`,
  handOver: "hands over to compaction",
  stops: (why: string) => (why === "" ? "stops at once" : `stops: ${why}`),
  stopWhy: {
    "delay-cap": (cap: string) => `the wait is longer than ${cap}`,
    hopeless: "waiting does not help here",
    "not-retryable": "this policy does not retry it",
    cannotHelp: "a retry would not help",
    disabled: "retries are off",
    filtered: "the filter leaves it out",
    aborted: "you cancelled it",
    patience: "no time to wait is left",
  },
  /** Shorter, beside a picture of the schedule. */
  short: {
    atOnce: (limit: string) => `Tries again at once${limit}.`,
    waits: (limit: string) => `Waits, then tries again${limit}.`,
    follows: (limit: string) => `Waits as long as the provider asks, else by the schedule${limit}.`,
    ends: (limit: string) => `Ends the call, waits, tries again${limit}.`,
    endsAtOnce: (limit: string) => `Ends the call, tries again at once${limit}.`,
    limit: (times: string) => ` (${times})`,
    elsewhere: (places: readonly ("key" | "model")[]) => `Another ${places.join(" or ")} at once.`,
    noneLeft: {
      stop: "None left: stops.",
      wait: "None left: waits if the provider says how long, else stops.",
      retry: "None left: waits, then tries again.",
    },
    stop: "Stops at once.",
    handOver: "Hands over to compaction.",
  },
  nextModelOver: (time: string) => `Over ${time}: next model first.`,
  nextModelAfter: "Then the next model.",
  sameError: (times: number) =>
    times === 2 ? "The same HTTP 500 twice: stops." : `The same HTTP 500 ${times} times: stops.`,
  afterContent: { stop: "After content: stops.", restart: "After content: starts again." },
};

export type TreatmentTexts = typeof en;

const zh: TreatmentTexts = {
  sentence: (text) => `${text}。`,
  between: "",
  otherwise: (places, rest) =>
    `有其他${places.map((place) => (place === "key" ? "密钥" : "模型")).join("或")}就改用它，否则${rest}`,
  atOnce: (limit) => `立即重试${limit}`,
  waits: (time, limit) => `等待 ${time}后重试${limit}`,
  upTo: (time) => `最多 ${time}`,
  limit: (parts) => (parts.length === 0 ? "（不限次数）" : `（${parts.join("，")}）`),
  times: (count) => `最多 ${count} 次`,
  inAll: (time) => `总共等待最多 ${time}`,
  handOver: "交给应用压缩对话",
  stops: (why) => (why === "" ? "立即停止" : `停止：${why}`),
  stopWhy: {
    "delay-cap": (cap) => `等待超过 ${cap}`,
    hopeless: "等待没有用",
    "not-retryable": "此策略不重试它",
    cannotHelp: "重试没有用",
    disabled: "重试已关闭",
    filtered: "被筛选排除",
    aborted: "由您取消",
    patience: "没有等待时间了",
  },
  short: {
    atOnce: (limit) => `立即重试${limit}。`,
    waits: (limit) => `等待后重试${limit}。`,
    follows: (limit) => `按服务商要求的时间等待，否则按时间表${limit}。`,
    ends: (limit) => `结束调用，等待后重试${limit}。`,
    endsAtOnce: (limit) => `结束调用，立即重试${limit}。`,
    limit: (times) => `（${times}）`,
    elsewhere: (places) => `立即换${places.map((place) => (place === "key" ? "密钥" : "模型")).join("或")}。`,
    noneLeft: {
      stop: "没有可换的：停止。",
      wait: "没有可换的：服务商给出时间就等待，否则停止。",
      retry: "没有可换的：等待后重试。",
    },
    stop: "立即停止。",
    handOver: "交给应用压缩对话。",
  },
  nextModelOver: (time) => `超过 ${time}：先换下一个模型。`,
  nextModelAfter: "之后换下一个模型。",
  sameError: (times) => `相同的 HTTP 500 连续 ${times} 次：停止。`,
  afterContent: { stop: "已有内容后：停止。", restart: "已有内容后：重新开始。" },
};

export const TREATMENT_TEXTS: Texts<TreatmentTexts> = { en, zh };

/** Reasons with words of their own; the engine's English `because` stands for the others. */
export type WordedReason = Extract<StopReason, keyof TreatmentTexts["stopWhy"]>;
