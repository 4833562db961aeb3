import type { ContentRequirement } from "../model/policy.ts";
import type { ContentCheck, ContentVerdict } from "../model/ports.ts";

/** Whether a finished answer has what is required. Plain text is checked here; a pattern only by a check that can't hang. */
export function checkContent(
  text: string,
  requirement: ContentRequirement,
  checkPattern: ContentCheck | undefined,
): ContentVerdict | Promise<ContentVerdict> {
  if (text === "") return "missing";
  if ("text" in requirement) return text.includes(requirement.text) ? "present" : "missing";
  return checkPattern === undefined ? "inconclusive" : checkPattern(text, requirement);
}
