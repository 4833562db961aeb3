type Wake = "keep-alive" | "aborted";

/**
 * What may interrupt a read. Each wait has a promise of its own: racing one long-lived promise again and again would keep a
 * reaction for every token of the answer.
 */
export class Waker {
  private resolve: ((wake: Wake) => void) | undefined;
  private missed: Wake | undefined;

  wake(wake: Wake): void {
    // An abort is never overwritten: nothing comes after it.
    if (this.resolve === undefined) this.missed = this.missed === "aborted" ? "aborted" : wake;
    else this.resolve(wake);
    this.resolve = undefined;
  }

  /** The value, or what came before it. */
  race<T>(value: Promise<T>): Promise<T | Wake> {
    const { missed } = this;
    this.missed = undefined;
    if (missed !== undefined) return Promise.resolve(missed);
    const woken = new Promise<Wake>((resolve) => {
      this.resolve = resolve;
    });
    return Promise.race([value, woken]);
  }
}
