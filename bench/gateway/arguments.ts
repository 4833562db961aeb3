import { parseArgs } from "node:util";
import { CONTESTANTS, type Name } from "./contestants.ts";

const USAGE = `Usage: npm run bench:gateway -- [--only names] [--rounds N] [--json]

Gateways between one load generator and one upstream, each in its own process, on 127.0.0.1. Rounds are interleaved; only the ratios
mean anything on a noisy machine.

  --only names   a comma-separated list of ${CONTESTANTS.join(", ")} (default: all; direct and pipe always run)
  --rounds N     1 to 99 (default 4: under 6 minutes)
  --json         one JSON object on stdout

Exit code 1 if secondwind misses a figure that we promise.`;

export interface Arguments {
  readonly rounds: number;
  readonly only: ReadonlySet<Name>;
  readonly isJson: boolean;
}

/** Ends the process for --help and for invalid arguments. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parsed(args);
  if (values.help === true) {
    console.log(USAGE);
    process.exit(0);
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 99) {
    stop(`--rounds must be a whole number from 1 to 99; got ${values.rounds}`);
  }
  const wanted = values.only?.split(",") ?? CONTESTANTS;
  const names = CONTESTANTS.filter((name) => wanted.includes(name));
  const unknown = wanted.find((name) => !CONTESTANTS.some((known) => known === name));
  if (unknown !== undefined) stop(`Unknown contestant: ${unknown}`);
  return { rounds, only: new Set<Name>(["direct", "pipe", ...names]), isJson: values.json === true };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: "string" },
        rounds: { type: "string", default: "4" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error));
  }
}

function stop(complaint: string): never {
  console.error(`${complaint}\n\n${USAGE}`);
  process.exit(2);
}
