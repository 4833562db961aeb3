/**
 * Makes ids that are unique across processes and cheap enough for every call: a random prefix drawn once (96 bits), then a
 * counter. They name things in logs and events; they are no secrets, for whoever knows one can guess its neighbours.
 */
export function createIdSource(): () => string {
  let prefix: string | null = null;
  let count = 0;
  return () => {
    prefix ??= randomPrefix();
    count++;
    return prefix + count.toString(36);
  };
}

// `crypto.randomUUID` is missing on pages served over plain HTTP, as a chat in the local network often is.
function randomPrefix(): string {
  const words = crypto.getRandomValues(new Uint32Array(3));
  return `${Array.from(words, (word) => word.toString(36).padStart(7, "0")).join("")}-`;
}
