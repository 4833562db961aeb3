import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { crc32 } from "node:zlib";

/** Two checksums precede the compiled code: of the script's text, and of the code itself. */
const HEAD_BYTES = 8;

/**
 * The compiled code for a script with this text. V8 compares only the length of the text, and a damaged file would end the
 * process: both are checked here.
 */
export function readCompiled(script: string, text: Buffer): Buffer | undefined {
  for (const place of placesFor(script)) {
    const file = read(place);
    if (file === undefined || file.length <= HEAD_BYTES) continue;
    const code = file.subarray(HEAD_BYTES);
    if (headFor(text, code).equals(file.subarray(0, HEAD_BYTES))) return code;
  }
  return undefined;
}

/** If it can't be written, the next start is slower and still works. */
export function keepCompiled(script: string, text: Buffer, code: Buffer): void {
  const file = Buffer.concat([headFor(text, code), code]);
  for (const place of placesFor(script)) if (write(place, file)) return;
}

/**
 * Next to the script, so that both are deleted together. If the package belongs to another user (`sudo npm install -g`), in the
 * user's cache folder.
 */
function* placesFor(script: string): Generator<string> {
  yield `${script}.compiled`;
  const { XDG_CACHE_HOME: given = "", HOME: home = "" } = process.env;
  // A relative path would lead into the current folder.
  const caches = isAbsolute(given) ? given : join(isAbsolute(home) ? home : userInfo().homedir, ".cache");
  yield join(caches, "secondwind", `${basename(script)}.compiled`);
}

function headFor(text: Buffer, code: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(crc32(text), 0);
  head.writeUInt32LE(crc32(code), 4);
  return head;
}

/** The code runs unchecked: a file that another user wrote or may write is ignored. */
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

/** Whole or not at all: several processes may end at the same time. */
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
