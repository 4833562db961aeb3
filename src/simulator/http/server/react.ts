import { leakText } from "../answer/leak-text.ts";
import { planAnswer } from "../answer/plan-answer.ts";
import type { Journey } from "../answer/prose/journey.ts";
import { type Behaviour, GOOD } from "../behaviour/behaviour.ts";
import { errorReply, type FaultContext, reply } from "../faults/fault.ts";
import { faultReaction } from "../faults/fault-table.ts";
import { cutOff, stalled } from "../faults/stalled.ts";
import { answerReply } from "../wire/answer-reply.ts";
import type { Reaction, Reply } from "../wire/reply.ts";

type Input = Omit<FaultContext, "answer" | "parameter"> & {
  readonly seed: number;
  readonly key: string;
  readonly journey: Journey;
};

/** A behaviour in the provider's wire format. */
export function react(behaviour: Behaviour, { seed, key, journey, ...input }: Input): Reaction {
  const { request, timeScale } = input;
  const content = ("content" in behaviour ? behaviour.content : undefined) ?? GOOD.content;
  const tokens = behaviour.type === "answer" ? behaviour.tokens : undefined;
  const context: FaultContext = { ...input, answer: planAnswer(request, { seed, content, tokens, journey }) };
  switch (behaviour.type) {
    case "answer":
      return reply(answerReply(context));
    case "error": {
      const { name, hintMs, message, shouldRetry } = behaviour;
      const hint = hintMs === undefined ? undefined : ({ type: "wait", ms: Math.round(hintMs * timeScale) } as const);
      return reply(withAdvice(errorReply(context, { name, hint, message }), shouldRetry));
    }
    case "leak": {
      const text = leakText(key);
      if (behaviour.as === "error") return reply(errorReply(context, { name: "overloaded", message: text }));
      return reply(answerReply({ ...context, answer: planAnswer(request, { seed, content: { text }, journey }) }));
    }
    case "stall":
      // Without a stream not even a head comes: providers send it together with the answer.
      if (!request.isStreaming) return faultReaction(8, context);
      return reply(stalled(answerReply(context), behaviour.tokens));
    case "cut":
      return reply(cutOff(answerReply(context), behaviour.tokens));
    case "fault":
      return faultReaction(behaviour.number, { ...context, parameter: behaviour.parameter });
    default:
      return behaviour satisfies never;
  }
}

function withAdvice(error: Reply, shouldRetry: boolean | undefined): Reply {
  if (shouldRetry === undefined) return error;
  return { ...error, headers: { ...error.headers, "x-should-retry": String(shouldRetry) } };
}
