import { InvalidInput } from "../src/kernel/index.ts";

/** Runs a command of this folder. Invalid options are an exit code of 2 and one line. */
export async function command(main: (args: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (fault) {
    const isUsage = fault instanceof InvalidInput || (fault as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
    if (!isUsage) throw fault;
    console.error((fault as Error).message);
    process.exitCode = 2;
  }
}
