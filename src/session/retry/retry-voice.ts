import type { GenerationEvent } from "../../kernel/index.ts";
import type { Recorder } from "../record/recorder.ts";
import {
  conclude,
  type DialectFrame,
  type DialectState,
  type GenerationEnd,
  idle,
  type Translation,
  translate,
} from "./retry-dialect.ts";

interface RetryVoiceInput {
  readonly frame: DialectFrame;
  /** The model that answers at the start. */
  readonly active: string;
  readonly recorder: Recorder;
  /** Whether the model that answers is the conversation's. */
  readonly isLeading: () => boolean;
  readonly onModel: (model: string) => void;
}

/** Announces one generation in the session's dialect: holds the state of the translation. */
export class RetryVoice {
  readonly #input: RetryVoiceInput;
  #state: DialectState;
  #wasRetried = false;

  constructor(input: RetryVoiceInput) {
    this.#input = input;
    this.#state = idle(input.active);
  }

  /** The retry that it is at; 0: none. */
  get attempt(): number {
    return this.#state.attempt;
  }

  /** Between the first failure that is retried and the end. */
  get isRetrying(): boolean {
    return this.#state.isOpen;
  }

  /** Whether there was any retry at all. */
  get wasRetried(): boolean {
    return this.#wasRetried;
  }

  hear(event: GenerationEvent): void {
    this.#say(translate(this.#state, event, this.#input.frame));
    this.#wasRetried ||= this.#state.isOpen;
  }

  end(generation: GenerationEnd): void {
    this.#say(conclude(this.#state, generation, this.#input.frame));
  }

  #say({ state, events }: Translation): void {
    const { recorder, onModel } = this.#input;
    const isLeading = this.#input.isLeading();
    if (isLeading && state.active !== this.#state.active) onModel(state.active);
    this.#state = state;
    for (const event of events) {
      if (event.type !== "model_change") recorder.announce(event);
      else if (isLeading) {
        const { type, ...data } = event;
        recorder.record({ type, data }, event);
      }
    }
  }
}
