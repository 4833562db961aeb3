type Values = readonly (string | number)[];

interface Call {
  readonly values: Values;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

/** Redis does nothing else while a script runs: so many jobs take it about a millisecond. */
const MOST_CALLS = 64;
const MOST_CHARACTERS = 1_000_000;

/**
 * Calls of one tick go to Redis as one call of a script for many. They fail together if the connection breaks; each may be made again.
 * `send` gets the number of values of a call, then the values of all.
 */
export function callTogether(send: (values: Values) => Promise<unknown>): (values: Values) => Promise<unknown> {
  let waiting: Call[] = [];
  let characters = 0;
  const flush = (): void => {
    const calls = waiting;
    waiting = [];
    characters = 0;
    if (calls.length === 0) return;
    const size = calls[0]?.values.length ?? 0;
    send([size, ...calls.flatMap(({ values }) => values)]).then(
      (answers) => settle(calls, answers as readonly unknown[]),
      (fault: unknown) => {
        for (const { reject } of calls) reject(fault);
      },
    );
  };
  return (values) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ values, resolve, reject });
      for (const value of values) characters += typeof value === "string" ? value.length : 0;
      if (waiting.length >= MOST_CALLS || characters >= MOST_CHARACTERS) flush();
    });
}

function settle(calls: readonly Call[], answers: readonly unknown[]): void {
  for (const [at, { resolve, reject }] of calls.entries()) {
    const answer = answers[at];
    if (Array.isArray(answer) && answer[0] === "fault") reject(new Error(String(answer[1])));
    else resolve(answer);
  }
}
