import type { ConnectTexts } from "./connect.ts";

export const CONNECT_ZH: ConnectTexts = {
  title: "连接应用程序",
  link: "连接",
  more: "基础地址、密钥，以及没有请求到达时的帮助",
  lead: "只需更改基础地址（base URL）。应用程序的密钥和代码都保持不变。",
  application: "应用程序",
  language: "语言",
  environment: "环境变量",
  notes: {
    environment: "大多数 SDK 和许多程序会读取这些变量。设置后请重启程序。",
    openai: "密钥保持原处不变。SDK 自身的重试已关闭：由 Secondwind 负责重试。",
    anthropic: "不带 /v1：此 SDK 会自动添加。SDK 自身的重试已关闭：由 Secondwind 负责重试。",
    google: "不带 /v1beta：此 SDK 会自动添加。",
    "ai-sdk": "在 generateText 和 streamText 中设置 maxRetries: 0：由 Secondwind 负责重试。",
    langchain: "LangChain 自身的重试已关闭：由 Secondwind 负责重试。",
    "claude-code": "不带 /v1：Claude Code 会自动添加。",
    codex: "新建一个服务商。Codex 从 OPENAI_API_KEY 读取密钥。",
    aider: "第一行用于 OpenAI 模型，第二行用于 Claude 模型。",
    opencode: "放在项目文件夹中，或合并到 ~/.config/opencode/opencode.json。",
    "gemini-cli": "需要在 GEMINI_API_KEY 中设置 API 密钥。使用 Google 账号登录时走的是另一个服务。",
    sillytavern:
      "API 连接 → 聊天补全 → OpenAI 或 Claude → 反向代理：将此地址填入代理服务器 URL，将 API 密钥填入代理密码。",
    curl: "无需任何设置。",
  },
  waiting: "等待第一次请求",
  arrived: (model) => `第一次请求已到达：${model}`,
  last: (model) => `最近一次请求：${model}`,
  at: (time) => `时间 ${time}`,
  from: (client) => `来自 ${client}`,
  answered: (how: string) => `已回答（${how}）`,
  show: "在活动中查看",
  waitingText: "还没有请求经过网关。第一次请求一到达，无论成功与否，都会立即显示在这里和“活动”页面。",
  checks: {
    title: "没有请求到达？",
    items: [
      "重启应用程序：多数程序只在启动时读取基础地址。",
      "检查基础地址的结尾：OpenAI 客户端需要 /v1，Anthropic 和 Gemini 客户端不需要。",
      "来自网页的请求会被拒绝。请从程序或服务器发出请求。",
    ],
  },
  urls: {
    title: "基础地址",
    openai: "OpenAI 客户端",
    anthropic: "Anthropic 客户端",
    gemini: "Gemini 客户端",
    named: "按名称",
    namedText:
      "openrouter 可换成 openai、anthropic、google、groq、mistral、deepseek、xai、ollama，或 gateway.json 中自定义的名称。",
  },
  keys: {
    title: "密钥",
    own: "应用程序的密钥只会发送给其格式所属的服务商，不会发往别处。",
    access:
      "如果本服务器设有访问密钥，应用程序以访问密钥作为其 API 密钥，服务商的密钥则由 gateway.json 从密钥文件中读取。",
  },
  promises: ["支持 OpenAI、Anthropic 和 Gemini 格式", "流式内容原样传递", "只在第一个字之前重试"],
};
