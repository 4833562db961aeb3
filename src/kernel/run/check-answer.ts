import { Unread } from "../attempt/answer-text.ts";
import type { Attempt } from "../attempt/attempt.ts";
import { engineFailure } from "../classify/engine-failure.ts";
import type { ContentRequirement } from "../model/policy.ts";
import type { ContentCheck, ContentVerdict } from "../model/ports.ts";
import type { Generation } from "./generation.ts";
import { textNotFound } from "./text-not-found.ts";

const LACKS_CONTENT = "The answer lacks the required content";
const NOT_CHECKED = "The required content could not be checked; the answer was accepted";

/** Checks a finished answer for its required content: the attempt succeeds or fails by the verdict. */
export function checkAnswer(generation: Generation, attempt: Attempt, requirement: ContentRequirement): void {
  const { ports } = generation.setup;
  const hear = (verdict: ContentVerdict): void => hearVerdict(generation, attempt, verdict);
  let text: string | true | Unread;
  try {
    text = generation.answerText();
  } catch (fault) {
    ports.reportFault(fault, "text-of");
    return hear("inconclusive");
  }
  if (text instanceof Unread) return endUnread(generation, attempt, text);
  let verdict: ContentVerdict | Promise<ContentVerdict> = "inconclusive";
  try {
    verdict = text === true ? "present" : checkText(text, requirement, ports.checkContent);
  } catch (fault) {
    ports.reportFault(fault, "content-check");
  }
  if (typeof verdict === "string") return hear(verdict);
  verdict.then(hear, (fault) => {
    ports.reportFault(fault, "content-check");
    hear("inconclusive");
  });
}

/** Plain text is searched here; a pattern only by a check that can't hang. */
function checkText(
  text: string,
  requirement: ContentRequirement,
  checkPattern: ContentCheck | undefined,
): ReturnType<ContentCheck> {
  if (text === "") return "missing";
  if ("text" in requirement) return text.includes(requirement.text) ? "present" : "missing";
  return checkPattern === undefined ? "inconclusive" : checkPattern(text, requirement);
}

function hearVerdict(generation: Generation, attempt: Attempt, verdict: ContentVerdict): void {
  if (generation.current !== attempt) return;
  if (verdict === "missing") {
    const failure = engineFailure("invalid_content", LACKS_CONTENT, "content:missing", attempt.target);
    return generation.failWith(attempt, failure);
  }
  if (verdict === "inconclusive") {
    generation.remember(1).warn(NOT_CHECKED);
    generation.emit({ type: "warning", message: NOT_CHECKED });
  }
  // A listener that hears the warning may give up.
  if (!generation.isEnded()) generation.succeed(attempt);
}

/** The caller's mistake, not the endpoint's: a retry would give the same answer, so no rule of the policy is asked. */
function endUnread(generation: Generation, attempt: Attempt, unread: Unread): void {
  const { health, ports } = generation.setup;
  const { attempt: number, target } = attempt;
  const cause = textNotFound(unread.value);
  const failure = { ...engineFailure("unknown", cause.message, "usage:text-not-found", target), cause };
  generation.current = undefined;
  generation.remember(1).noteFailure(failure, number);
  health?.succeeded(attempt, ports.now());
  generation.emit({ type: "attempt-end", attempt: number, target, ok: false, failure });
  generation.end("not-retryable");
}
