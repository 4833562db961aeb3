import type { FailedCall, Journey } from "./journey.ts";

const HAN = /\p{Script=Han}/u;

export function isChinese(text: string): boolean {
  return HAN.test(text);
}

const BACKOFF = `## 指数退避

调用失败后先等待再重试，并且每次把等待时间加倍：1 秒、2 秒、4 秒、8 秒……短暂的故障只耽误一秒；长时间的故障中，请求越来越少，服务器才有机会恢复。

1. **上限**：没有上限，第十一次就要等 17 分钟。
2. **抖动**：在零和加倍后的时间之间随机取值，避免所有客户端同时回来。
3. **终点**：达到次数或总等待时间后停止，给出一个清楚的错误。

\`\`\`ts
const delayMs = Math.random() * Math.min(12_000, 1000 * 2 ** retry);
\`\`\``;

const HAIKU = `> 服务不可用，
> 敲门、静静等一等，
> 再敲一次门。`;

const SELF = `我是一个**模拟模型**，运行在你的电脑上，不需要密钥，也不产生费用；我会像真实的服务商那样出错。

**Secondwind** 帮助大模型调用渡过限流、过载、断线和中断的回答：

- 能等就**等**：按服务商要求的时间，或逐渐加长；
- 等也没用就**换**：换密钥或换模型；
- 重试也没用就**停**：立刻给出一个清楚的错误。

想得到真实的回答，请添加密钥：\`secondwind keys add anthropic\`。你也可以问我“什么是指数退避”。`;

/** The answer to a question in Chinese. It knows less than the English one. */
export function writeChinese(prompt: string, journey: Journey): string {
  const body = /退避|backoff/i.test(prompt) ? BACKOFF : /俳句|诗|詩|haiku/i.test(prompt) ? HAIKU : SELF;
  return [sayJourney(journey), body, `🌊 *模拟回答 · 第 ${journey.trail.count + 1} 次调用*`]
    .filter(Boolean)
    .join("\n\n");
}

function sayJourney({ trail }: Journey): string {
  if (trail.count === 0) return "";
  const calls = trail.calls.map(sayCall).join("、");
  return `这是你的问题的**第 ${trail.count + 1} 次调用**。之前 ${trail.count} 次失败了：${calls}。每次都重新发送，这一次成功了。`;
}

function sayCall({ what }: FailedCall): string {
  return /HTTP \d+/.exec(what)?.[0] ?? "连接中断";
}
