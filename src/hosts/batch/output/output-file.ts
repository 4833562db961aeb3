import { type FileHandle, open } from "node:fs/promises";

const SYNC_EVERY_MS = 1000;

/**
 * The output, written line by line at its end. A line that can't be written whole is taken back, so that every line in the file is
 * a whole result, on a full disk as well. Once a second what was written goes to the disk.
 */
export class OutputFile {
  readonly #file: FileHandle;
  #bytes: number;
  #pending: string[] = [];
  #writing: Promise<void> | undefined;
  #syncing: NodeJS.Timeout | undefined;
  #fault: unknown;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Whatever is behind `wholeBytes` is cut off. */
  static async open(path: string, wholeBytes: number): Promise<OutputFile> {
    const file = await open(path, "a");
    await file.truncate(wholeBytes);
    return new OutputFile(file, wholeBytes);
  }

  /** Resolves when the line is written. Rejects for good after the first line that could not be written. */
  async write(line: string): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    this.#pending.push(line);
    this.#writing ??= this.#drain();
    await this.#writing;
  }

  /** Everything is on the disk, and the file is closed. May be called after a failed write. */
  async close(): Promise<void> {
    clearTimeout(this.#syncing);
    await this.#writing?.catch(() => undefined);
    try {
      if (this.#fault === undefined) await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const lines = this.#pending;
        this.#pending = [];
        await this.#append(Buffer.from(lines.join("")));
      }
      this.#syncing ??= setTimeout(() => this.#sync(), SYNC_EVERY_MS);
    } finally {
      this.#writing = undefined;
    }
  }

  async #append(bytes: Buffer): Promise<void> {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += (await this.#file.write(bytes, written)).bytesWritten;
      }
      this.#bytes += bytes.length;
    } catch (fault) {
      this.#fault = fault;
      // A part may have been written. Making a file shorter needs no space.
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw fault;
    }
  }

  #sync(): void {
    this.#syncing = undefined;
    // A disk that fails says so at the next write, or when the file is closed.
    this.#file.datasync().catch(() => undefined);
  }
}
