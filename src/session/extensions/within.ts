import type { Ports, Sleeper } from "../../kernel/index.ts";

/** Settles like the work, or rejects once the time is up: foreign code can't delay the session. */
export function within<T>(ports: Pick<Ports, "sleep" | "rouse">, limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const sleeper: Sleeper = {
      wakeAtMs: 0,
      slot: -1,
      wake: () => reject(new Error(`took longer than ${limitMs / 1000} s`)),
    };
    ports.sleep(sleeper, limitMs);
    work.then(resolve, reject).finally(() => ports.rouse(sleeper));
  });
}
