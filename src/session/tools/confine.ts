import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The real path of something inside the folder. Refuses `..`, paths elsewhere, and links that lead out: what the model may see
 * is this folder and nothing else.
 */
export async function confine(root: string, path: string): Promise<string> {
  if (path.includes("\0")) throw new Error("A path has no NUL in it");
  if (path.split(/[/\\]/).includes("..")) throw new Error(`"${path}" must not go up with ".."`);
  const realRoot = await realpath(root);
  const real = await realpath(resolve(realRoot, path)).catch(() => {
    throw new Error(`There is no "${path}"`);
  });
  if (!isInside(realRoot, real)) throw new Error(`"${path}" is outside the working folder`);
  return real;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
