const NOT_PASSED: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-connection transfer-encoding te trailer upgrade proxy-authenticate".split(" "),
);

/** An endpoint's headers as the client gets them: names and values in turn. */
export function responseHeaders(rawHeaders: readonly string[], { isStream }: { readonly isStream: boolean }): string[] {
  const headers: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const lower = name.toLowerCase();
    // An endpoint may be a gateway too. The receipt is that of the last one.
    if (NOT_PASSED.has(lower) || lower.startsWith("x-secondwind-") || (isStream && lower === "content-length"))
      continue;
    headers.push(name, rawHeaders[at + 1] as string);
  }
  return headers;
}

export function headerIn(rawHeaders: readonly string[], wanted: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === wanted) return rawHeaders[at + 1];
  return undefined;
}

export function headerRecord(rawHeaders: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    record[(rawHeaders[at] as string).toLowerCase()] = rawHeaders[at + 1] as string;
  return record;
}
