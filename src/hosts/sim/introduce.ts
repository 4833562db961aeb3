import type { Simulator } from "../../simulator/http/index.ts";
import type { Colours } from "../../terminal/index.ts";

/** What the person sees who started it: where it is, and lines to paste. */
export function introduce({ url, urls, weather }: Simulator, colours: Colours): readonly string[] {
  const heading = (text: string): string => colours.bold(text);
  return [
    "",
    heading(`Simulated providers are up at ${url}`),
    `Weather: ${weather}. Ctrl-C ends it.`,
    "",
    heading("Paste into a shell: the official SDKs then come here"),
    `  export OPENAI_BASE_URL=${urls.openai} OPENAI_API_KEY=sim`,
    `  export ANTHROPIC_BASE_URL=${urls.anthropic} ANTHROPIC_API_KEY=sim`,
    `  export GOOGLE_GEMINI_BASE_URL=${urls.gemini} GEMINI_API_KEY=sim`,
    "",
    heading("AI SDK: the baseURL of each provider"),
    `  createOpenAI             ${urls.aiSdk.openai}`,
    `  createAnthropic          ${urls.aiSdk.anthropic}`,
    `  createGoogleGenerativeAI ${urls.aiSdk.google}`,
    "",
    heading("Try"),
    `  curl -N ${urls.openai}/chat/completions -H 'authorization: Bearer sim' \\`,
    `    -d '{"model":"ok","stream":true,"messages":[{"role":"user","content":"Hello"}]}'`,
    `  curl -d '{"weather":"storm"}' ${url}/_sim/weather`,
    `  curl ${url}/_sim/requests`,
    "",
  ];
}
