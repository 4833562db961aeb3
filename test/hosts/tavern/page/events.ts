type Listener = (...args: unknown[]) => unknown;

/**
 * The host's event emitter: a plain class that scripts can reach as `SillyTavern.eventSource`. Every listener costs a turn, even one
 * that returns at once, so a listener on one event delays the later listeners of this event only.
 */
export class HostEvents {
  readonly events: Record<string, Listener[]> = {};
  /** For tests. Not recorded by a listener, which would change the order for the others. */
  readonly emitted: { readonly name: string; readonly args: unknown[] }[] = [];

  on(event: string, listener: Listener): void {
    this.listenersOf(event).push(listener);
  }

  makeFirst(event: string, listener: Listener): void {
    this.removeListener(event, listener);
    this.listenersOf(event).unshift(listener);
  }

  makeLast(event: string, listener: Listener): void {
    this.removeListener(event, listener);
    this.listenersOf(event).push(listener);
  }

  removeListener(event: string, listener: Listener): void {
    const listeners = this.listenersOf(event);
    const at = listeners.indexOf(listener);
    if (at >= 0) listeners.splice(at, 1);
  }

  async emit(event: string, ...args: unknown[]): Promise<void> {
    this.emitted.push({ name: event, args });
    for (const listener of [...this.listenersOf(event)]) {
      try {
        await listener.apply(this, args);
      } catch (error) {
        // A failing listener affects no other listener, only the test.
        reportError(error);
      }
    }
  }

  emitAndWait(event: string, ...args: unknown[]): void {
    for (const listener of [...this.listenersOf(event)]) {
      try {
        listener.apply(this, args);
      } catch (error) {
        reportError(error);
      }
    }
  }

  count(): number {
    return Object.values(this.events).reduce((sum, listeners) => sum + listeners.length, 0);
  }

  private listenersOf(event: string): Listener[] {
    this.events[event] ??= [];
    return this.events[event];
  }
}
