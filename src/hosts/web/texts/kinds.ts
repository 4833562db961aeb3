import { EXPLANATIONS } from "../../../explain/explain-kind.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../kernel/model/failure.ts";
import { WAITING_WORDS } from "../../../library/waiting-words.ts";
import type { Texts } from "./language.ts";

/** A kind of failure in words. */
export interface KindWords {
  /** In rows and legends: "Rate limit". */
  readonly name: string;
  /** K7: before "— retrying in 5s…". */
  readonly waiting: string;
  /** The title of a final error. */
  readonly failed: string;
  /** One sentence: what happened. */
  readonly what: string;
  /** What helps where waiting does not, as a phrase. */
  readonly remedy: string;
}

export type KindTexts = Readonly<Record<FailureKind, KindWords>>;

/** Name, failed. `waiting` is in the words of the library, `what` and `remedy` in those of `secondwind why`. */
const EN: Readonly<Record<FailureKind, readonly [name: string, failed: string]>> = {
  rate_limit: ["Rate limit", "The rate limit was reached"],
  usage_limit: ["Quota used up", "The quota is used up"],
  overloaded: ["Overloaded", "The server is overloaded"],
  server: ["Server error", "The server failed"],
  network: ["Network", "The connection failed"],
  timeout: ["Timeout", "No answer came in time"],
  silent: ["Silent", "The answer never began"],
  stalled: ["Stalled", "The answer stalled"],
  stream_broken: ["Broken stream", "The answer broke off"],
  invalid_content: ["Unusable answer", "The answer lacks the required content"],
  context_overflow: ["Context too long", "The conversation is too long"],
  auth: ["Key refused", "The key was refused"],
  permission: ["Not permitted", "The key does not have this permission"],
  bad_request: ["Bad request", "The request was rejected"],
  not_found: ["Not found", "The model was not found"],
  content_filter: ["Filtered", "A safety filter blocked it"],
  aborted: ["Stopped", "Stopped"],
  unknown: ["Unknown", "It failed for an unknown reason"],
};

const ZH: Readonly<
  Record<FailureKind, readonly [name: string, waiting: string, failed: string, what: string, remedy: string]>
> = {
  rate_limit: [
    "速率限制",
    "请求过快",
    "已达到速率限制",
    "此密钥在短时间内发送的请求超过了限额。",
    "减小请求，或提高限额",
  ],
  usage_limit: [
    "额度用尽",
    "额度已用完",
    "额度已用完",
    "此密钥的配额或余额已用完。",
    "充值或升级套餐；在此之前换用其他密钥或模型",
  ],
  overloaded: ["过载", "服务器过载", "服务器过载", "端点在运行，但任务多得处理不过来。", "换用其他模型或服务商"],
  server: ["服务器错误", "服务器过载", "服务器出错", "端点在处理请求时出错。", "换用其他模型或服务商"],
  network: ["网络", "连接失败", "连接失败", "在收到回答之前连接就失败了。", "检查地址、代理和网络连接"],
  timeout: ["超时", "没有回答", "没有及时收到回答", "没有在规定时间内收到回答。", "缩短请求，或放宽时间限制"],
  silent: ["无响应", "没有回答", "回答一直没有开始", "请求已被接受，但回答一直没有开始。", "换用其他模型或服务商"],
  stalled: ["停滞", "回答停滞", "回答停滞了", "回答已经开始，之后再没有内容。", "换用其他模型或服务商"],
  stream_broken: [
    "流中断",
    "回答中断",
    "回答中断了",
    "回答在结束前中断，或不符合 API 的格式。",
    "换用其他模型或服务商",
  ],
  invalid_content: [
    "内容不合格",
    "内容不合格",
    "回答缺少要求的内容",
    "回答缺少要求的内容。",
    "更明确的提示词，或其他模型",
  ],
  context_overflow: [
    "上下文过长",
    "对话过长",
    "对话过长",
    "对话超过了此模型的长度上限。",
    "缩短对话（压缩），或用上下文更大的模型",
  ],
  auth: ["密钥被拒", "密钥被拒绝", "密钥被拒绝", "端点不接受此密钥。", "此服务商的完整有效的密钥"],
  permission: [
    "无权限",
    "没有权限",
    "此密钥没有权限",
    "密钥有效，但没有这项权限。",
    "获得此模型或地区的权限，或换用有权限的密钥",
  ],
  bad_request: ["请求有误", "请求被拒绝", "请求被拒绝", "端点拒绝了这个请求。", "修正请求；错误信息指明了原因"],
  not_found: ["未找到", "未找到模型", "未找到此模型", "此端点没有这个模型或地址。", "正确的模型名称和地址"],
  content_filter: [
    "被过滤",
    "被过滤器拦截",
    "被安全过滤器拦截",
    "安全过滤器拦截了请求或回答。",
    "换一种说法；同样的文字会再次被拦截",
  ],
  aborted: ["已停止", "已停止", "已停止", "请求在结束前由你这边取消了。", "如果仍需要回答，请再发送一次"],
  unknown: [
    "未知",
    "未知错误",
    "出错了，原因不明",
    "这个错误没有说明出了什么问题。",
    "如果有状态码和响应头，请一并查看",
  ],
};

const en = Object.fromEntries(
  FAILURE_KINDS.map((kind) => {
    const [name, failed] = EN[kind];
    const { whatHappened, remedy } = EXPLANATIONS[kind];
    return [kind, { name, waiting: WAITING_WORDS[kind], failed, what: whatHappened, remedy } satisfies KindWords];
  }),
) as unknown as KindTexts;

const zh = Object.fromEntries(
  FAILURE_KINDS.map((kind) => {
    const [name, waiting, failed, what, remedy] = ZH[kind];
    return [kind, { name, waiting, failed, what, remedy } satisfies KindWords];
  }),
) as unknown as KindTexts;

/** For every page: a kind is named by the same words everywhere. */
export const KIND_TEXTS: Texts<KindTexts> = { en, zh };

export function namesOf(texts: KindTexts): Readonly<Record<FailureKind, string>> {
  return Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, texts[kind].name])) as Record<FailureKind, string>;
}
