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
