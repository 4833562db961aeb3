const ALLOWED: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** The address of a link in an answer, if it may be followed: absolute, and no script or file. */
export function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href);
    return ALLOWED.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
