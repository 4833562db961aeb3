import type { GenerationHandle } from "../../kernel/index.ts";
import type { RetryVoice } from "./retry-voice.ts";

/** What is known of a generation while it lives. */
export interface LiveGeneration {
  readonly handle: GenerationHandle;
  readonly voice: Pick<RetryVoice, "attempt" | "isRetrying">;
  readonly isNested: boolean;
  /** No further retry: the one under way may still succeed. */
  isCancelled: boolean;
  /** A person has chosen a model meanwhile: wherever this one goes, it does not lead the conversation any more. */
  isOverruled: boolean;
}

/** The generations of a session that are under way: the prompt's own, and those inside tool calls and compaction. */
export class LiveGenerations {
  readonly #live = new Set<LiveGeneration>();

  add(generation: LiveGeneration): () => void {
    this.#live.add(generation);
    return () => void this.#live.delete(generation);
  }

  get isRetrying(): boolean {
    return this.#retrying.length > 0;
  }

  /** Of the prompt's own generation first. */
  get retryAttempt(): number {
    const retrying = this.#retrying;
    const shown = retrying.find(({ isNested }) => !isNested) ?? retrying[0];
    return shown?.voice.attempt ?? 0;
  }

  /** What is under way goes on as it began, but who leads the conversation is no longer for it to say. */
  overrule(): void {
    for (const generation of this.#live) generation.isOverruled = true;
  }

  /** Ends the waits; what is being attempted goes on, but is not retried again. False: nothing was being retried. */
  cancelRetries(): boolean {
    const retrying = this.#retrying;
    for (const generation of retrying) {
      generation.isCancelled = true;
      if (generation.handle.isWaiting) generation.handle.giveUp();
    }
    return retrying.length > 0;
  }

  /** B8: ends the waits by trying again now. False: nothing was waiting. */
  retryNow(): boolean {
    const waiting = [...this.#live].filter(({ handle }) => handle.isWaiting);
    for (const { handle } of waiting) handle.retryNow();
    return waiting.length > 0;
  }

  get #retrying(): readonly LiveGeneration[] {
    return [...this.#live].filter(({ voice }) => voice.isRetrying);
  }
}
