/** A sleep that anyone can end. One sleeper at a time. */
export class Waker {
  #wakeUp: (() => void) | undefined;
  #isAwake = false;

  /** Ends the sleep, or the next one if no one sleeps. */
  wake(): void {
    this.#isAwake = true;
    this.#wakeUp?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isAwake) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wakeUp = undefined;
    this.#isAwake = false;
  }
}
