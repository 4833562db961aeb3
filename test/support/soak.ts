const isSoak = process.env.SECONDWIND_SOAK !== undefined;

/** How many times a test repeats: enough to catch a regression in every run, and the large number in `npm run soak`. */
export function often(usual: number, soaking: number): number {
  return isSoak ? soaking : usual;
}
