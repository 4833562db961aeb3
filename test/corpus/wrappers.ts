import type { Labelled } from "./read-corpus.ts";

type Wrap = (text: string) => unknown;

const inMessage = (text: string): string => JSON.stringify({ error: { message: text } });
/** As `repr` writes a string. */
const repr = (text: string): string => `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'").replace(/\n/g, "\\n")}'`;
const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** What agents, SDKs, proxies, logs and pages put around an error, without a fact of their own. */
export const WRAPPERS: Readonly<Record<string, Wrap>> = {
  "an agent's prefix": (text) => `API Error: ${text}`,
  "an agent's brackets": (text) => `✕ [API Error: ${text}]`,
  "an agent's headline": (text) => `❌ Request failed\n\n${text}`,
  "a last error": (text) => `Failed after 3 attempts. Last error: ${text}`,
  "a line of a log": (text) => `2026-11-18 03:52:26,123 ERROR llm.client:87 - ${text}`,
  "a line of a log whose milliseconds look like a status": (text) =>
    `2026-11-18 03:52:26,429 ERROR llm.client:87 - ${text}`,
  "a line of Spring Boot whose process looks like a status": (text) =>
    `2026-11-18T03:52:26.503Z ERROR 429 --- [main] c.e.Llm : ${text}`,
  "a class of an SDK": (text) => `openai.APIStatusError: ${text}`,
  "two classes of a proxy": (text) => `litellm.APIError: APIError: OpenAIException - ${text}`,
  "a class of Java": (text) => `java.lang.RuntimeException: com.example.LlmException: ${text}`,
  "a trace of Python": (text) => `Traceback (most recent call last):\n  File "main.py", line 8, in <module>\n${text}`,
  "JSON in a string": (text) => inMessage(text),
  "JSON in a string, twice": (text) => inMessage(inMessage(text)),
  "JSON in a string, three times": (text) => inMessage(inMessage(inMessage(text))),
  "a Python dict": (text) => `Error: {'error': {'message': ${repr(text)}, 'param': None}}`,
  "what a console prints": (text) => `Error {\n  error: { message: ${JSON.stringify(text)}, param: null }\n}`,
  "a hash of Ruby": (text) => `{:error=>{:message=>${JSON.stringify(text)}, :param=>nil}}`,
  "colours of a terminal": (text) => `\u001b[31m${text}\u001b[39m`,
  "letters as numbers": (text) =>
    text.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "a quoted string": (text) => JSON.stringify(text),
  "an event of a stream": (text) => `event: error\ndata: ${text}\n\n`,
  "a dump of headers": (text) =>
    `date: Wed, 18 Nov 2026 03:52:26 GMT\ncontent-type: application/json\nx-request-id: req_1\n\n${text}`,
  "a page": (text) => `<!DOCTYPE html>\n<html><body><pre>${escapeHtml(text)}</pre></body></html>`,
  "a fence": (text) => `The provider said:\n\`\`\`json\n${text}\n\`\`\``,
  "a list of errors": (text) => ({ errors: [{ message: text }] }),
  "a detail": (text) => ({ detail: text }),
  "an error with a cause": (text) => new Error("The request did not succeed", { cause: { message: text } }),
};

export function textOf({ body }: Labelled): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
