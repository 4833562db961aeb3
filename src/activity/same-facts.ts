import type { GenerationFacts } from "./activity.ts";

export function isSameFacts(one: GenerationFacts, other: GenerationFacts): boolean {
  return (
    one.asked === other.asked &&
    one.policy === other.policy &&
    one.door === other.door &&
    one.client === other.client &&
    one.conversationId === other.conversationId &&
    one.turnId === other.turnId
  );
}
