import type { Command } from "commander";

const HELP = `
Keys, in a terminal:
  Enter      retry now, without waiting further
  q, Ctrl-C  give up; the receipt is still printed

Examples:
  secondwind demo
  secondwind demo --fail
  secondwind demo --fast | cat

Exit codes:
  0    the answer came
  1    the outage won (--fail)
  130  given up
`;

/** Adds `demo` to the program. What it needs is loaded only when it runs. */
export function addDemoCommand(program: Command, done: (code: number) => void): void {
  program
    .command("demo")
    .summary("watch the engine carry one answer through an outage")
    .description(
      "Carries one answer through a scripted outage, with the real engine and real waits, in about 20 seconds. No network.",
    )
    .option("--fast", "ten times as fast")
    .option("--fail", "let the outage win, to see an honest failure")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { demo } = await import("./demo.ts");
      done(await demo(options));
    });
}
