/**
 * Makes ids that are unique across processes and cheap enough for every call: a random prefix drawn once (96 bits), then a
 * counter. They name things in logs and events; they are no secrets: knowing one, its neighbours can be guessed.
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

/** Seeded by the system for each process and page. `crypto` would be as unique, and takes Node milliseconds to load. */
function randomPrefix(): string {
  const words = Array.from({ length: 3 }, () => Math.floor(Math.random() * 2 ** 32));
  return `${words.map((word) => word.toString(36).padStart(7, "0")).join("")}-`;
}
