type Values = readonly (string | number)[];

interface Call {
  readonly values: Values;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

/** Redis does nothing else while a script runs: so many jobs take it less than a millisecond. */
const MOST_CALLS = 64;
const MOST_CHARACTERS = 1_000_000;

/**
 * Calls of one tick go to Redis as one call of a script for many. They fail together if the connection breaks; each may be made again.
 * `send` gets the number of values of a call, which is the same for all, then the values of all.
 */
export function callTogether(send: (values: Values) => Promise<unknown>): (values: Values) => Promise<unknown> {
  let waiting: Call[] = [];
  let characters = 0;
  const flush = (): void => {
    const calls = waiting;
    waiting = [];
    characters = 0;
    if (calls.length > 0) void make(calls);
  };
  const make = async (calls: readonly Call[]): Promise<void> => {
    try {
      const size = calls[0]?.values.length ?? 0;
      const answers = await send([size, ...calls.flatMap(({ values }) => values)]);
      if (!Array.isArray(answers)) throw new Error("Redis answered something else than a list");
      settle(calls, answers);
    } catch (fault) {
      for (const { reject } of calls) reject(fault);
    }
  };
  const add = (call: Call): void => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(call);
    for (const value of call.values) characters += typeof value === "string" ? value.length : 0;
    if (waiting.length >= MOST_CALLS || characters >= MOST_CHARACTERS) flush();
  };
  return (values) => new Promise((resolve, reject) => add({ values, resolve, reject }));
}

function settle(calls: readonly Call[], answers: readonly unknown[]): void {
  for (const [at, call] of calls.entries()) {
    const answer = answers[at];
    const [how, why] = Array.isArray(answer) ? answer : [];
    if (answer === undefined) call.reject(new Error("Redis left a call without an answer"));
    else if (how === "fault") call.reject(new Error(String(why)));
    else call.resolve(answer);
  }
}
