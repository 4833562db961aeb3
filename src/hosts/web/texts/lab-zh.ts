import type { LabFact } from "../../../wire/http/server.ts";
import type { LabTexts } from "./lab.ts";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function sayFact(fact: LabFact, names: readonly string[]): string {
  switch (fact.type) {
    case "fewer-calls":
      return `${fact.policy} 的调用少 ${percent(fact.share)}`;
    case "same-calls":
      return "两者的调用次数相同";
    case "longer-wait":
      return `${fact.policy} 的用户平均多等 ${fact.seconds.toFixed(1)} 秒`;
    case "none-failed":
      return "没有生成失败";
    case "failed":
      return `失败的生成：${fact.shares.map((share, at) => `${names[at] ?? ""} ${(share * 100).toFixed(1)} %`).join("，")}`;
    default:
      return fact satisfies never;
  }
}

export const LAB_ZH: LabTexts = {
  title: "实验室",
  outage: "故障",
  choose: "选择故障",
  settings: "故障与策略",
  policyA: "策略 A",
  policyB: "策略 B",
  groups: { own: "我的策略", preset: "预设", peer: "其他软件包", none: "用于比较" },
  clients: "客户端",
  runs: "次数",
  allowed: (most) => `1 到 ${most}`,
  sameTwice: "请选择两个不同的策略。",
  run: "运行",
  cancel: "取消",
  runOf: (run, runs) => `第 ${run} 次，共 ${runs} 次`,
  left: (seconds) => (seconds <= 0 ? "即将完成" : `约剩 ${seconds} 秒`),
  progress: "进度",
  note: "用真实引擎在虚拟时间中运行：四分钟约需一秒。服务器保持响应。",
  intro: "用两个策略经历同一次故障，比较它们对服务商和等待者的影响。",
  forSeconds: (time, load) => `持续 ${time}，负载 ${load}。`,
  saveReport: "保存报告",
  policyColumn: (finished, runs) =>
    finished === runs ? `策略，${runs} 次运行` : `策略，已完成 ${finished} / ${runs} 次`,
  never: "从未",
  inShort: "简而言之",
  failed: (why) => `运行失败：${why}`,
  loadFailed: (why) => `无法加载实验室：${why}`,
  retry: "重试",
  outageLabel: "故障",
  capacity: "容量",
  none: "无",
  chartLabel: (title, unit, names) => `${title}，${unit}：${names}`,
  finished: "运行已完成。",
  figuresHelp: "各项指标的含义",
  scenarios: {
    "fast-503": { title: "立即 503", description: "每次调用都立即以 503 失败。" },
    "black-hole": { title: "黑洞", description: "90 % 的调用丢失：没有回答，没有错误，只有超时。" },
    brownout: { title: "部分降级", description: "30 % 的调用以 503 失败，其余慢一倍。" },
    "529-wave": { title: "529 浪潮", description: "80 % 的调用以 529 失败，每波 20 秒，间隔 10 秒。" },
    flapping: { title: "时断时续", description: "断开 5 秒，恢复 5 秒，反复如此。" },
    "quota-cliff": { title: "限额骤降", description: "只接受平时一半的调用，其余得到 429 和到下一个 10 秒的时间。" },
    "burst-429": {
      title: "429 突发",
      description: "所有调用同时到来；每分钟接受十分之三，其余得到 429 和到下一分钟的时间。",
    },
    "slow-tokens": { title: "输出缓慢", description: "回答慢六倍，名额耗尽，队列变满。" },
    "regional-outage": { title: "区域故障", description: "第一个服务商消失，同等规模的第二个仍在工作。" },
    drizzle: { title: "小雨", description: "始终有 5 % 的调用随机以 429、503 或 529 失败，1 % 的连接中断。" },
    "drizzle-hints": { title: "带提示的小雨", description: "同小雨，且每个 429 都带 1 秒的提示。" },
    "long-outage": { title: "长时间故障", description: "每次调用都立即以 503 失败，时间长过人的耐心。" },
    "thundering-start": { title: "同时启动", description: "所有客户端同时发出第一个请求；服务商没有问题。" },
    "slow-start": {
      title: "缓慢恢复",
      description: "每次调用都立即以 503 失败；之后服务商用一分钟从十分之一的名额恢复到全部。",
    },
  },
  shorts: {
    "fast-503": "每次调用立即被拒",
    "black-hole": "90 % 的调用丢失，没有错误",
    brownout: "30 % 被拒，其余变慢",
    "529-wave": "80 % 过载，一波一波",
    flapping: "断 5 秒，通 5 秒",
    "quota-cliff": "一半的调用超出限额",
    "burst-429": "调用同时到来，多数受限",
    "slow-tokens": "回答慢六倍",
    "regional-outage": "一个服务商消失，另一个正常",
    drizzle: "始终有 5 % 随机失败",
    "drizzle-hints": "小雨，每个 429 都带提示",
    "long-outage": "断开 20 分钟",
    "thundering-start": "所有客户端同时开始",
    "slow-start": "断开，然后缓慢恢复",
  },
  figures: {
    amplification: { label: "放大", meaning: "从故障开始到运行结束，每个生成的调用次数。" },
    peak: { label: "峰值", meaning: "故障后最忙一秒的调用数，除以平时每秒的调用数。" },
    recoverySeconds: { label: "恢复", meaning: "故障后多少秒，服务恢复正常并保持下去。" },
    wasted: { label: "浪费", meaning: "调用者放弃之后才得到回答的调用所占比例。" },
    failed: { label: "失败", meaning: "没有得到回答就结束的生成所占比例。" },
    waited: { label: "平均等待", meaning: "一个生成在调用之间等待的平均时间。" },
    served: { label: "服务率", meaning: "故障期间的回答，占服务商所能给出的比例。" },
    p95Seconds: { label: "p95", meaning: "95 % 的生成在这个时间内得到回答。" },
  },
  charts: {
    calls: { title: "服务商负载", unit: "每秒调用" },
    answered: { title: "得到的回答", unit: "每秒生成" },
    waiting: { title: "等待中", unit: "两次调用之间的生成" },
    inFlight: { title: "进行中", unit: "有人等待的调用" },
    rejected: { title: "被拒绝", unit: "每秒调用" },
    abandoned: { title: "被放弃", unit: "每秒超时的调用" },
    queued: { title: "队列", unit: "等待名额的调用" },
    failed: { title: "失败", unit: "每秒没有回答的生成" },
  },
  sayFacts: (facts, names) => `${facts.map((fact) => sayFact(fact, names)).join("；")}。`,
};
