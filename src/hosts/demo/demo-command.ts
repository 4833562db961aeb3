import type { Command } from "commander";

const HELP = `
Keys, in a terminal:
  Enter      retry now
  q, Ctrl-C  give up; the receipt is still printed

Examples:
  secondwind demo
  secondwind demo --fail
  secondwind demo --fast | cat

Exit codes:
  0    the answer is complete
  1    the outage did not end (--fail)
  130  you gave up
`;

/** Adds `demo` to the program. Its modules are loaded only when it runs. */
export function addDemoCommand(program: Command, done: (code: number) => void): void {
  program
    .command("demo")
    .summary("watch one request survive an outage")
    .description(
      "Runs one request through a scripted outage, with the real engine and real waits, in about 20 seconds. No network.",
    )
    .option("--fast", "ten times faster")
    .option("--fail", "never end the outage, so the request fails")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { demo } = await import("./demo.ts");
      done(await demo(options));
    });
}
