/** The status pages of the providers. */
const STATUS_PAGES: Readonly<Record<string, string>> = {
  anthropic: "https://status.anthropic.com",
  openai: "https://status.openai.com",
  google: "https://aistudio.google.com/status",
  openrouter: "https://status.openrouter.ai",
  groq: "https://groqstatus.com",
  mistral: "https://status.mistral.ai",
  deepseek: "https://status.deepseek.com",
  xai: "https://status.x.ai",
};

export function statusPageOf(provider: string | undefined): string {
  // A provider may be called `constructor`, which every object has.
  const page = provider !== undefined && Object.hasOwn(STATUS_PAGES, provider) ? STATUS_PAGES[provider] : undefined;
  return page ?? "the provider's status page";
}
