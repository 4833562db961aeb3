import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  readonly etag: string;
  /** Its name has a hash of its content: a browser need never ask again. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Secondwind</title>
<h1>Secondwind is running</h1>
<p>The page is not built. Run <code>npm run build</code> and start the server again. The API works without it.</p>
</html>
`;

/**
 * Every file of the built page by its path, such as `/assets/index-1a2b3c4d.js`; a note at `/index.html` if there is none. All are
 * read at the start: a request only ever looks up a name, so that no path can lead out of the folder.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, PageFile>();
  for (const entry of entries) {
    if (!entry.isFile() || extname(entry.name) === ".map") continue;
    const place = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, place).split(sep).join("/")}`;
    files.set(path, pageFile(path, await readFile(place)));
  }
  if (!files.has("/index.html")) files.set("/index.html", pageFile("/index.html", Buffer.from(NOT_BUILT)));
  return files;
}

function pageFile(path: string, content: Buffer): PageFile {
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    content,
    etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`,
    isImmutable: path.startsWith("/assets/") && /-[\w-]{8}\.\w+$/.test(path),
  };
}
