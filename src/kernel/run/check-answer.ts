import type { Attempt } from "../attempt/attempt.ts";
import { engineFailure } from "../classify/engine-failure.ts";
import type { ContentRequirement } from "../model/policy.ts";
import type { ContentCheck, ContentVerdict } from "../model/ports.ts";
import type { Generation } from "./generation.ts";

const LACKS_CONTENT = "The answer lacks the required content";
const NOT_CHECKED = "The required content could not be checked; the answer was accepted";

/** Checks a finished answer for its required content: the attempt succeeds or fails by the verdict. */
export function checkAnswer(generation: Generation, attempt: Attempt, requirement: ContentRequirement): void {
  const { ports } = generation.setup;
  const hear = (verdict: ContentVerdict): void => hearVerdict(generation, attempt, verdict);
  let verdict: ContentVerdict | Promise<ContentVerdict> = "inconclusive";
  try {
    const text = generation.answerText();
    if (text !== undefined) verdict = checkText(text, requirement, ports.checkContent);
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
