import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Something below the working folder, as it was when it was looked at. */
export interface Place {
  /** The real path of the working folder. */
  readonly root: string;
  /** The real path of the thing itself. */
  readonly real: string;
  /** For people and models: relative to the working folder. */
  readonly name: string;
}

/**
 * Where something inside the folder really lies. Refuses `..`, paths elsewhere, and links that lead out: what the model may see
 * is this folder and nothing else. What is found is opened with `openInside`, since it may be something else by then.
 */
export async function confine(root: string, path: string): Promise<Place> {
  if (path.includes("\0")) throw new Error("The path must not contain NUL");
  if (path.split(/[/\\]/).includes("..")) throw new Error(`"${path}" must not contain ".."`);
  const realRoot = await realpath(root);
  const wanted = resolve(realRoot, path);
  const real = await realpath(wanted).catch(() => {
    throw new Error(`There is no "${path}"`);
  });
  if (!isInside(realRoot, real)) throw new Error(`"${path}" is outside the working folder`);
  return { root: realRoot, real, name: relative(realRoot, wanted) || "." };
}

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
