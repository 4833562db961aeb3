import { expect, test } from "vitest";
import { ApiProblem } from "../../../../src/hosts/serve/api/route.ts";
import { whyRoutes } from "../../../../src/hosts/serve/api/why-routes.ts";
import { InvalidInput } from "../../../../src/kernel/index.ts";
import type { WhyCard } from "../../../../src/wire/http/server.ts";

const [route] = whyRoutes();

async function ask(text: string, provider?: string): Promise<WhyCard> {
  const body = route?.body?.parse({ text, ...(provider !== undefined && { provider }) });
  const signal = new AbortController().signal;
  return (await route?.run({ params: {}, query: undefined, body, signal })) as WhyCard;
}

const LIMIT = `HTTP/1.1 429 Too Many Requests
retry-after: 20

{"error":{"message":"Rate limit reached for gpt-4o","code":"rate_limit_exceeded"}}`;

test("B1: /api/why explains a pasted response with status, headers and body", async () => {
  expect(await ask(LIMIT, "openai")).toMatchObject({
    kind: "rate_limit",
    retryable: true,
    hintMs: 20_000,
    status: 429,
    message: "Rate limit reached for gpt-4o",
    willWaitingHelp: "yes, about 20 s, as the endpoint requests",
    verdicts: expect.arrayContaining([{ preset: "patient", verdict: "waits 20 s, then retries (at most 21 times)" }]),
  });
});

test("B2: /api/why judges the same words by the provider that is named", async () => {
  const text = "HTTP/1.1 429\n\nYou exceeded your current quota";
  const kinds = await Promise.all(["openai", "dashscope"].map(async (provider) => (await ask(text, provider)).kind));
  expect(new Set(kinds).size).toBe(2);
});

test("B1: /api/why masks keys in what the provider sent", async () => {
  const key = "sk-proj-abcdEFGH1234567890abcd";
  const card = await ask(`HTTP/1.1 401\nauthorization: Bearer ${key}\n\nIncorrect API key provided: ${key}.`);
  expect(JSON.stringify(card)).not.toContain("EFGH1234");
  expect(card).toMatchObject({ kind: "auth", message: expect.stringContaining("[masked]") });
});

test("B1: /api/why reports a bare message without a status", async () => {
  expect(await ask("socket hang up")).toMatchObject({ kind: "network", status: null, hintMs: null });
});

test("B1: /api/why refuses blank text, and names a field of an envelope that is invalid", async () => {
  await expect(ask("  \n ")).rejects.toThrow(ApiProblem);
  await expect(ask('{"status": 42, "body": "oops"}')).rejects.toThrow(InvalidInput);
  expect(route?.body?.safeParse({ text: "" }).success).toBe(false);
});
