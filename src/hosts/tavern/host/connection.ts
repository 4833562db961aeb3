/** Each takes hold of a part of the host and returns a function that lets go. */
interface ConnectionParts {
  takeFunctions(): () => void;
  takeEvents(): () => void;
  /** Whether a generation still needs the events. */
  isNeeded(): boolean;
}

/** Our hold on the host. While the script is disabled, the host's own functions are in place. */
export class Connection {
  private readonly parts: ConnectionParts;
  private leaveFunctions: (() => void) | undefined = undefined;
  private leaveEvents: (() => void) | undefined = undefined;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
  }

  open(): void {
    this.leaveEvents ??= this.parts.takeEvents();
    this.leaveFunctions ??= this.parts.takeFunctions();
  }

  /** Running attempts finish: the events go when the last one has ended. */
  close(): void {
    this.leaveFunctions?.();
    this.leaveFunctions = undefined;
    this.rest();
  }

  /** Nothing is running any more. */
  rest(): void {
    if (this.leaveFunctions !== undefined || this.parts.isNeeded()) return;
    this.leaveEvents?.();
    this.leaveEvents = undefined;
  }
}
