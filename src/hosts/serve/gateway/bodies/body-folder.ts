import { mkdirSync, readdirSync, statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Of all files together; the oldest go first. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 1000;
const NAME = /^\d{8}T\d{9}Z-[\w.:-]{1,128}\.json$/;

/** A folder of files that only its owner can read, and which does not grow without end. */
export class BodyFolder {
  readonly path: string;
  private readonly reportFault: (fault: unknown) => void;
  /** Oldest first: the names begin with the time. */
  private readonly files: { readonly name: string; readonly bytes: number }[] = [];
  private bytes = 0;
  private hasFailed = false;
  /** One after another, so that the limit holds. */
  private last: Promise<void> = Promise.resolve();

  /** Makes the folder. Throws if that is not possible. */
  constructor(path: string, reportFault: (fault: unknown) => void) {
    this.path = path;
    this.reportFault = reportFault;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(path).sort()) {
      if (!NAME.test(name)) continue;
      this.remember(name, statSync(join(path, name)).size);
    }
  }

  /** A fault is reported once, until a file could be written again. */
  write(name: string, text: string): void {
    this.last = this.last.then(async () => {
      try {
        await writeFile(join(this.path, name), text, { mode: 0o600 });
        this.remember(name, Buffer.byteLength(text));
        await this.shrink();
        this.hasFailed = false;
      } catch (fault) {
        if (!this.hasFailed) this.reportFault(fault);
        this.hasFailed = true;
        // A disk that is full in the middle of a file.
        await rm(join(this.path, name), { force: true }).catch(() => undefined);
      }
    });
  }

  /** Resolves when everything is written. */
  flushed(): Promise<void> {
    return this.last;
  }

  private remember(name: string, bytes: number): void {
    this.files.push({ name, bytes });
    this.bytes += bytes;
  }

  private async shrink(): Promise<void> {
    while (this.bytes > MOST_BYTES || this.files.length > MOST_FILES) {
      const oldest = this.files.shift();
      if (oldest === undefined) return;
      this.bytes -= oldest.bytes;
      await rm(join(this.path, oldest.name), { force: true });
    }
  }
}
