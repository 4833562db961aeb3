import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { classifyError } from "../../../src/explain/classify-error.ts";
import type { ErrorInput } from "../../../src/explain/error-input.ts";
import { presetVerdicts } from "../../../src/explain/preset-verdict.ts";
import { renderCard } from "../../../src/hosts/why/render-card.ts";
import { FAILURE_KINDS, type Failure } from "../../../src/kernel/index.ts";
import { textWidth } from "../../../src/terminal/index.ts";

const colours = pc.createColors(false);

function cardOf(problem: ErrorInput, columns: number): string[] {
  const failure = classifyError(problem, 0);
  return renderCard({ failure, provider: problem.provider, verdicts: presetVerdicts(failure), columns, colours });
}

describe("B1: the card", () => {
  test("B1: reads well at 80 columns", () => {
    const problem = {
      provider: "openai",
      status: 429,
      headers: { "retry-after": "30" },
      body: '{"error":{"message":"Rate limit reached, slow down","code":"rate_limit_exceeded"}}',
    };
    expect(cardOf(problem, 80)).toEqual([
      "",
      "  Rate limit · HTTP 429 · openai",
      "  This key has sent more than its limit allows in a short time.",
      "",
      "  Who has to act      you (key or plan)",
      "  Will waiting help?  yes, about 30 s, as the endpoint requests",
      "  Message             Rate limit reached, slow down",
      "  Decided by          code:rate_limit_exceeded → rate_limit, scope credential,",
      "                      retryable (certain)",
      "",
      "  What each preset would do",
      "  default     tries another key or model if available; otherwise waits 30 s,",
      "              then retries (for up to 5 min of waiting)",
      "  tavern      waits 30 s, then retries (at most 5 times)",
      "  session     tries another key or model if available; otherwise waits 30 s,",
      "              then retries (at most 3 times)",
      "  patient     waits 30 s, then retries (at most 21 times)",
      "  console     waits 1 s, then retries (without a limit)",
      "  background  waits 30 s, then retries (for up to 30 min of waiting)",
      "",
    ]);
  });

  test("B1: reads well at 40 columns", () => {
    expect(cardOf({ status: 401, body: "Incorrect API key provided: sk-abcd1234efgh" }, 40)).toEqual([
      "",
      "  Invalid API key · HTTP 401",
      "  The endpoint does not accept this key.",
      "",
      "  Who has to act",
      "    you (key)",
      "  Will waiting help?",
      "    no. What helps: a complete and valid",
      "    key of this provider",
      "  Message",
      "    Incorrect API key provided:",
      "    sk-[masked]",
      "  Decided by",
      "    text:auth → auth, scope credential,",
      "    not retryable (likely)",
      "",
      "  What each preset would do",
      "  default     tries another key or model",
      "              if available; otherwise",
      "              stops: a retry would not",
      "              help",
      "  tavern      tries another key or model",
      "              if available; otherwise",
      "              stops: a retry would not",
      "              help",
      "  session     tries another key or model",
      "              if available; otherwise",
      "              stops: a retry would not",
      "              help",
      "  patient     tries another key or model",
      "              if available; otherwise",
      "              stops: a retry would not",
      "              help",
      "  console     stops: a retry would not",
      "              help",
      "  background  tries another key or model",
      "              if available; otherwise",
      "              stops: a retry would not",
      "              help",
      "",
    ]);
  });

  test("B1: shows no message if the endpoint sent no body", () => {
    expect(cardOf({ status: 500, headers: { "x-request-id": "1" } }, 80).join("\n")).not.toContain("Message");
  });

  test("B1: cuts a long message to a few lines", () => {
    const lines = cardOf({ status: 500, body: "words ".repeat(5000) }, 80);
    const quoted = lines.filter((line) => line.includes("words") || line.trim() === "…");
    expect(quoted).toHaveLength(4);
    expect(quoted.at(-1)?.trim()).toBe("…");
  });

  test.each([20, 40, 56, 80])("B1: no line of any card is wider than %d columns", (columns) => {
    const sample = classifyError({ status: 500, body: "额度不足 ".repeat(50) }, 0);
    for (const kind of FAILURE_KINDS) {
      const failure: Failure = { ...sample, kind };
      const lines = renderCard({ failure, provider: "someone", verdicts: presetVerdicts(failure), columns, colours });
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});
