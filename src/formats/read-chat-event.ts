import { ChoiceEnds, joinMeanings } from "./choice-ends.ts";
import type { EventReader, Meaning } from "./event-meaning.ts";
import { type Fields, isFields, isFilled, listOf } from "./fields.ts";
import { brokenInput, ToolInputs } from "./tool-inputs.ts";

const PLAIN_ENDS: ReadonlySet<unknown> = new Set("stop end_turn eos eos_token tool_calls function_call".split(" "));

/** OpenAI's chat and text completions, and all that speak them: events with `choices`. */
export class ChatEventReader implements EventReader<Fields> {
  private readonly ends = new ChoiceEnds();
  private readonly inputs = new ToolInputs();

  read(event: Fields): Meaning {
    let meaning: Meaning | undefined;
    for (const choice of listOf(event.choices)) meaning = joinMeanings(meaning, this.readChoice(choice, event));
    return meaning ?? "noise";
  }

  private readChoice(choice: Fields, event: Fields): Meaning {
    const { index = 0, finish_reason: reason } = choice;
    if (reason === "error") return { problem: event };
    const hasContent = this.readDelta(choice, index);
    // Some servers put an empty reason into every event.
    if (typeof reason !== "string" || reason === "") return this.ends.read({ index, hasContent, end: undefined });
    const broken = reason === "length" ? undefined : this.inputs.broken();
    if (broken !== undefined) return brokenInput(broken);
    return this.ends.read({ index, hasContent, end: PLAIN_ENDS.has(reason) ? "plain" : "news" });
  }

  private readDelta({ delta, message, text }: Fields, index: unknown): boolean {
    if (typeof text === "string" && text !== "") return true;
    const said = isFields(delta) ? delta : message;
    if (!isFields(said)) return false;
    for (const call of listOf(said.tool_calls)) {
      const place = `${index}:${call.index ?? call.id ?? 0}`;
      if (isFilled(call.id)) this.inputs.begin(place);
      if (isFields(call.function)) this.inputs.add(place, call.function.arguments);
    }
    // As tools were called before they had names of their own.
    if (isFields(said.function_call)) this.inputs.add(`${index}:function`, said.function_call.arguments);
    return Object.entries(said).some(([name, value]) => name !== "role" && isFilled(value));
  }
}
