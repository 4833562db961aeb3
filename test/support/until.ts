/** Waits for something that another part of the process, or another process, is about to do. */
export async function until(isSo: () => boolean, limitMs = 5000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`Not so after ${limitMs} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
