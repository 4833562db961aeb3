import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { crc32 } from "node:zlib";

/** Two sums stand before the compiled code: of the script's text, and of the code itself. */
const HEAD_BYTES = 8;

/**
 * What was kept for a script with this text. V8 looks only at the length of the text, and a damaged file would end the process:
 * both are checked here.
 */
export function readCompiled(script: string, text: Buffer): Buffer | undefined {
  for (const place of placesFor(script)) {
    const file = read(place);
    const code = file?.subarray(HEAD_BYTES);
    if (
      file !== undefined &&
      code !== undefined &&
      file.length > HEAD_BYTES &&
      headFor(text, code).equals(headOf(file))
    )
      return code;
  }
  return undefined;
}

/** Where nothing can be written the script starts a little later, and works. */
export function keepCompiled(script: string, text: Buffer, code: Buffer): void {
  const file = Buffer.concat([headFor(text, code), code]);
  for (const place of placesFor(script)) if (write(place, file)) return;
}

/**
 * Beside the script, so that it goes when that goes. Where the package belongs to somebody else (`sudo npm install -g`), in the
 * user's own folder for such things.
 */
function* placesFor(script: string): Generator<string> {
  yield `${script}.compiled`;
  const { XDG_CACHE_HOME: given = "", HOME: home = "" } = process.env;
  // Neither may lead into the folder that happens to be the current one.
  const caches = isAbsolute(given) ? given : join(isAbsolute(home) ? home : userInfo().homedir, ".cache");
  yield join(caches, "secondwind", `${basename(script)}.compiled`);
}

function headFor(text: Buffer, code: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(crc32(text), 0);
  head.writeUInt32LE(crc32(code), 4);
  return head;
}

function headOf(file: Buffer): Buffer {
  return file.subarray(0, HEAD_BYTES);
}

/** It is run as it is: what somebody else has written, or may write, does not count. */
function read(place: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(place, "r");
    const { uid, mode } = fstatSync(file);
    const isOurs = process.getuid === undefined || ((uid === 0 || uid === process.getuid()) && (mode & 0o022) === 0);
    return isOurs ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whole or not at all: several may end at the same time. */
function write(place: string, file: Buffer): boolean {
  const draft = `${place}.${process.pid}.new`;
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeFileSync(draft, file, { mode: 0o600 });
    renameSync(draft, place);
    return true;
  } catch {
    rmSync(draft, { force: true });
    return false;
  }
}
