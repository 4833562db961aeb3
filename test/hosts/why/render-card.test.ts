import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { judgeProblem } from "../../../src/hosts/why/judge-problem.ts";
import { presetVerdicts } from "../../../src/hosts/why/preset-verdict.ts";
import type { Problem } from "../../../src/hosts/why/problem.ts";
import { renderCard } from "../../../src/hosts/why/render-card.ts";
import { FAILURE_KINDS, type Failure } from "../../../src/kernel/index.ts";
import { textWidth } from "../../../src/terminal/index.ts";

const colours = pc.createColors(false);

function cardOf(problem: Problem, columns: number): string[] {
  const failure = judgeProblem(problem, 0);
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
      "  More was sent than this key may send in so short a time.",
      "",
      "  Whose side    your key or plan",
      "  Will waiting  yes: about 30 s, as the endpoint asks",
      "  help?",
      "  In its words  Rate limit reached, slow down",
      "  Decided by    code:rate_limit_exceeded → rate_limit, scope credential,",
      "                retryable",
      "",
      "  What Secondwind would do, preset by preset",
      "  default     tries another key or model if there is one; else waits 30 s, then",
      "              tries again (6 times at most)",
      "  tavern      waits 30 s, then tries again (5 times at most)",
      "  session     tries another key or model if there is one; else waits 30 s, then",
      "              tries again (3 times at most)",
      "  patient     waits 30 s, then tries again (21 times at most)",
      "  console     waits 1 s, then tries again (as often as it takes)",
      "  background  waits 30 s, then tries again (8 times at most)",
      "",
    ]);
  });

  test("B1: reads well at 40 columns", () => {
    expect(cardOf({ status: 401, body: "Incorrect API key provided: sk-abcd1234efgh" }, 40)).toEqual([
      "",
      "  Key refused · HTTP 401",
      "  The endpoint does not accept this key.",
      "",
      "  Whose side",
      "    your key",
      "  Will waiting help?",
      "    no. What helps: a key that is whole,",
      "    still valid and meant for this",
      "    provider",
      "  In its words",
      "    Incorrect API key provided:",
      "    sk-[masked]",
      "  Decided by",
      "    text:auth → auth, scope credential,",
      "    not retryable",
      "",
      "  What Secondwind would do, preset by",
      "  preset",
      "  default     tries another key or model",
      "              if there is one; else",
      "              stops: trying again would",
      "              not help",
      "  tavern      tries another key or model",
      "              if there is one; else",
      "              stops: trying again would",
      "              not help",
      "  session     tries another key or model",
      "              if there is one; else",
      "              stops: trying again would",
      "              not help",
      "  patient     tries another key or model",
      "              if there is one; else",
      "              stops: trying again would",
      "              not help",
      "  console     stops: trying again would",
      "              not help",
      "  background  tries another key or model",
      "              if there is one; else",
      "              stops: trying again would",
      "              not help",
      "",
    ]);
  });

  test("B1: an endpoint that sent no body is not quoted", () => {
    expect(cardOf({ status: 500, headers: { "x-request-id": "1" } }, 80).join("\n")).not.toContain("In its words");
  });

  test("B1: long words of the endpoint are cut to a few lines", () => {
    const lines = cardOf({ status: 500, body: "words ".repeat(5000) }, 80);
    const quoted = lines.filter((line) => line.includes("words") || line.trim() === "…");
    expect(quoted).toHaveLength(4);
    expect(quoted.at(-1)?.trim()).toBe("…");
  });

  test.each([20, 40, 56, 80])("B1: no line of any card is wider than %d columns", (columns) => {
    const sample = judgeProblem({ status: 500, body: "额度不足 ".repeat(50) }, 0);
    for (const kind of FAILURE_KINDS) {
      const failure: Failure = { ...sample, kind };
      const lines = renderCard({ failure, provider: "someone", verdicts: presetVerdicts(failure), columns, colours });
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});
