type Listener = (...args: unknown[]) => unknown;

/** The host's events. Awaits one listener after another, so that all but the first are called later. */
export class HostEvents {
  private readonly listeners = new Map<string, Listener[]>();

  on(event: string, listener: Listener): { stop: () => void } {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    // Does nothing, as in the real host.
    return { stop: () => undefined };
  }

  off(event: string, listener: Listener): void {
    const left = (this.listeners.get(event) ?? []).filter((known) => known !== listener);
    if (left.length === 0) this.listeners.delete(event);
    else this.listeners.set(event, left);
  }

  async emit(event: string, ...args: unknown[]): Promise<void> {
    for (const listener of this.listeners.get(event) ?? []) {
      try {
        await listener(...args);
      } catch (error) {
        // A failing listener affects no other listener, only the test.
        reportError(error);
      }
    }
  }

  count(): number {
    return [...this.listeners.values()].reduce((sum, listeners) => sum + listeners.length, 0);
  }
}
