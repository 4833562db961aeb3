import type { Simulator } from "../../simulator/http/index.ts";
import type { Colours } from "../../terminal/index.ts";

/** The text after the start: the address, and lines to paste. */
export function introduce({ url, urls, weather }: Simulator, colours: Colours): readonly string[] {
  const heading = (text: string): string => colours.bold(text);
  return [
    "",
    heading(`Simulated providers are running at ${url}`),
    `Weather: ${weather}. Press Ctrl-C to stop.`,
    "",
    heading("To use it with the official SDKs, paste into a shell"),
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
