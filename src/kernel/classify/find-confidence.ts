import type { Confidence } from "../model/failure.ts";
import { isFailing } from "./facts.ts";
import type { Case, Verdict } from "./verdict.ts";

/** How much a verdict rests on: structure, a telling sentence, or only a vague one. */
export function findConfidence({ evidence, code, weight }: Verdict, { facts }: Case): Confidence {
  if (evidence.startsWith("text:") || evidence.startsWith("quota:")) return weight <= 1 ? "guess" : "likely";
  if (weight === 0) return "guess";
  if (evidence.startsWith("status:")) return isFailing(facts.status) ? "certain" : "likely";
  // A code that is only mentioned in a sentence may be about something else.
  return code === undefined || facts.codes.includes(code) ? "certain" : "likely";
}
