import { leaked } from "../answer/leaked.ts";
import { planAnswer } from "../answer/plan-answer.ts";
import type { Behaviour } from "../behaviour/behaviour.ts";
import { type FaultScene, refusalReply, reply } from "../faults/fault.ts";
import { performFault } from "../faults/fault-table.ts";
import { cutOff, stalled } from "../faults/stalled.ts";
import { answerReply } from "../wire/answer-reply.ts";
import type { Performance } from "../wire/reply.ts";

export type Stage = Omit<FaultScene, "answer" | "parameter"> & { readonly seed: number; readonly key: string };

/** What the simulator does about a request: the behaviour put into the provider's words. */
export function perform(behaviour: Behaviour, { seed, key, ...stage }: Stage): Performance {
  const { ask, timeScale } = stage;
  const say = behaviour.type === "answer" ? behaviour.say : "words";
  const tokens = behaviour.type === "answer" ? behaviour.tokens : undefined;
  const scene: FaultScene = { ...stage, answer: planAnswer(ask, { seed, say, tokens }) };
  switch (behaviour.type) {
    case "answer":
      return reply(answerReply(scene));
    case "refuse": {
      const { problem, hintMs, message } = behaviour;
      const hint = hintMs === undefined ? undefined : ({ type: "wait", ms: Math.round(hintMs * timeScale) } as const);
      return reply(refusalReply(scene, { problem, hint, message }));
    }
    case "leak": {
      const text = leaked(key);
      if (behaviour.how === "refusal") return reply(refusalReply(scene, { problem: "overloaded", message: text }));
      return reply(answerReply({ ...scene, answer: planAnswer(ask, { seed, say: { text } }) }));
    }
    case "stall":
      // Whoever does not stream gets not even a head: a provider sends it together with the answer.
      if (!ask.isStreaming) return performFault(8, scene);
      return reply(stalled(answerReply(scene), behaviour.tokens));
    case "cut":
      return reply(cutOff(answerReply(scene), behaviour.tokens));
    case "fault":
      return performFault(behaviour.number, { ...scene, parameter: behaviour.parameter });
    default:
      return behaviour satisfies never;
  }
}
