import type { PolicySurvey } from "../../../simulator/lab/index.ts";
import type { LabFact } from "../../../wire/http/server.ts";

/** Smaller differences are chance. */
const LEAST_SHARE = 0.01;
const LEAST_SECONDS = 0.1;

/** What two policies differ in, for "In short". Empty: nothing has run yet. */
export function factsOf(policies: readonly PolicySurvey[]): readonly LabFact[] {
  const [a, b] = policies;
  if (a?.figures === undefined || b?.figures === undefined) return [];
  const facts: LabFact[] = [];
  const [callsA, callsB] = [a.figures.amplification, b.figures.amplification];
  const share = 1 - Math.min(callsA, callsB) / Math.max(callsA, callsB, Number.MIN_VALUE);
  if (share < LEAST_SHARE) facts.push({ type: "same-calls" });
  else facts.push({ type: "fewer-calls", policy: callsA < callsB ? a.name : b.name, share });
  const longer = a.figures.waited - b.figures.waited;
  if (Math.abs(longer) >= LEAST_SECONDS) {
    facts.push({ type: "longer-wait", policy: longer > 0 ? a.name : b.name, seconds: Math.abs(longer) });
  }
  const shares = [a.figures.failed, b.figures.failed];
  facts.push(shares.every((failed) => failed === 0) ? { type: "none-failed" } : { type: "failed", shares });
  return facts;
}

/** The facts in English. */
export function sayFacts(facts: readonly LabFact[], names: readonly string[]): string {
  const calls = facts.find(({ type }) => type === "fewer-calls" || type === "same-calls");
  const wait = facts.find((fact) => fact.type === "longer-wait");
  const fewer = calls?.type === "fewer-calls" ? calls.policy : undefined;
  const sentences = facts.map((fact) => {
    switch (fact.type) {
      case "same-calls":
        return `Both make about as many calls${wait === undefined ? "." : ";"}`;
      case "fewer-calls":
        return `${fact.policy} makes ${Math.round(fact.share * 100)} % fewer calls${wait === undefined ? "." : ";"}`;
      case "longer-wait":
        return `${fact.policy === fewer ? "its generations" : `those of ${fact.policy}`} wait ${fact.seconds.toFixed(1)} s longer on average.`;
      case "none-failed":
        return "No generation failed.";
      case "failed":
        return `Failed: ${fact.shares.map((share, n) => `${(share * 100).toFixed(1)} % with ${names[n]}`).join(", ")}.`;
      default:
        return fact satisfies never;
    }
  });
  return sentences.join(" ");
}
