import { expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { createGateway } from "../../src/gateway/index.ts";
import { parseBaseUrl, readEndpoints } from "../../src/providers/configuration.ts";

const PASTED = "http://127.0.0.1:9/v1/chat/completions";
const MESSAGE = `must be without the path of a call: http://127.0.0.1:9/v1; got "${PASTED}"`;

test("E17: a fallback's base URL with the path of a call is refused", () => {
  const fallbacks = [{ baseURL: PASTED, model: "m" }];
  expect(() => resilientFetch({}, { fallbacks })).toThrow(`options.fallbacks[0].baseURL ${MESSAGE}`);
});

test("E17: an endpoint of the gateway whose base URL has the path of a call is refused", () => {
  const endpoints = { lab: { baseURL: PASTED, format: "openai" as const } };
  expect(() => createGateway({ endpoints })).toThrow(`endpoints.lab.baseURL ${MESSAGE}`);
});

test("E17: a server in the environment whose base URL has the path of a call is refused", () => {
  expect(() => readEndpoints({ SECONDWIND_MY_BOX_BASE_URL: PASTED })).toThrow(`SECONDWIND_MY_BOX_BASE_URL ${MESSAGE}`);
});

test.each([
  ["https://api.anthropic.com/v1/messages", "https://api.anthropic.com"],
  ["https://api.openai.com/v1/responses/", "https://api.openai.com/v1"],
  ["https://host/proxy/v1/embeddings", "https://host/proxy/v1"],
  [
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent",
    "https://generativelanguage.googleapis.com",
  ],
])("E17: of %s the error says what to give", (given, base) => {
  expect(() => parseBaseUrl("--base-url", given)).toThrow(`--base-url must be without the path of a call: ${base};`);
});

test("E17: a base URL with any other path is accepted as it is", () => {
  expect(parseBaseUrl("--base-url", "https://host/openai/deployments/chat/")).toBe(
    "https://host/openai/deployments/chat",
  );
});
