import type { ByteRead, ByteReader } from "./event-pieces.ts";

/** So much is kept for a reader that is slow. */
const HIGH_WATER_BYTES = 16_384;
const DONE: ByteRead = { done: true };

/**
 * Bytes that a connection pushes, to be pulled by a reader, chunk by chunk and without a copy. What is not read for long makes the
 * connection stop reading its socket.
 */
export abstract class ByteQueue implements ByteReader {
  protected isOver = false;
  private readonly chunks: Uint8Array[] = [];
  private bytes = 0;
  private isPaused = false;
  private problem: { readonly fault: unknown } | undefined = undefined;
  private onRead: ((read: ByteRead) => void) | undefined = undefined;
  private onReadFault: ((fault: unknown) => void) | undefined = undefined;

  /** There is room again. */
  protected abstract resumeSource(): void;
  abstract cancel(): Promise<unknown>;

  // What the connection calls.

  /** False: pause, until `resumeSource` is called. */
  protected push(bytes: Uint8Array): boolean {
    const { onRead } = this;
    if (onRead !== undefined) {
      this.onRead = undefined;
      onRead({ done: false, value: bytes });
      return true;
    }
    this.chunks.push(bytes);
    this.bytes += bytes.length;
    this.isPaused = this.bytes >= HIGH_WATER_BYTES;
    return !this.isPaused;
  }

  protected end(): void {
    this.isOver = true;
    const { onRead } = this;
    this.onRead = undefined;
    onRead?.(DONE);
  }

  /** What came before is read first. */
  protected fail(fault: unknown): void {
    this.problem ??= { fault };
    const { onRead, onReadFault } = this;
    this.onRead = undefined;
    if (onRead !== undefined) onReadFault?.(fault);
  }

  // What the reader calls.

  read(): Promise<ByteRead> {
    const chunk = this.chunks.shift();
    if (chunk !== undefined) {
      this.bytes -= chunk.length;
      if (this.isPaused && this.bytes < HIGH_WATER_BYTES) {
        this.isPaused = false;
        this.resumeSource();
      }
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.isOver) return Promise.resolve(DONE);
    if (this.problem !== undefined) return Promise.reject(this.problem.fault);
    return new Promise((resolve, reject) => this.listen(resolve, reject));
  }

  protected get hasFailed(): boolean {
    return this.problem !== undefined;
  }

  /** Whether the next read has its outcome already. */
  protected get isReady(): boolean {
    return this.chunks.length > 0 || this.isOver || this.problem !== undefined;
  }

  /** Whether a reader waits for the next bytes. */
  protected get isAwaited(): boolean {
    return this.onRead !== undefined;
  }

  protected listen(onRead: (read: ByteRead) => void, onFault: (fault: unknown) => void): void {
    this.onRead = onRead;
    this.onReadFault = onFault;
  }
}
