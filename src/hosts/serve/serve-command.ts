import type { Command } from "commander";

const HELP = `
Open the address that it prints in a browser: chat, turn the
weather bad and watch a generation survive it. Without an API key
the simulated provider is used.

Point other applications at it to get retries, fallbacks and
waits by changing a base URL; see docs/gateway.md:
  OPENAI_BASE_URL=http://127.0.0.1:4747/v1
  ANTHROPIC_BASE_URL=http://127.0.0.1:4747
  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4747
Endpoints and models of your own: ~/.config/secondwind/gateway.json.

--record-bodies writes each request and answer of the gateway to a
file of its own, in the folder bodies beside the store. Keys are
removed. Each body is cut at 256 KiB; the oldest files are deleted
beyond 64 MiB or 1,000 files.

Programs use the same server: POST /chat, the WebSocket /ws and
/api; see docs/server.md. POST /jobs accepts generations that
survive restarts; see docs/jobs.md.

Only this machine can reach the server. For another address,
create an access key first:
  secondwind access add laptop
  secondwind serve --host 0.0.0.0
Once there is an access key, every request needs one. A key in
--key shows in process lists and history: prefer SECONDWIND_KEY
or secondwind access.

SIGTERM or Ctrl-C: accepts nothing new, lets running turns and
requests finish for --drain seconds and saves the turns that are
left as interrupted; they can be continued later. A second signal ends at once.

Examples:
  secondwind serve
  secondwind serve --port 8080 --no-open
  secondwind serve --weather storm
  SECONDWIND_KEY=… secondwind serve --host 0.0.0.0 --log json

Exit codes:
  0    stopped
  1    could not start, for example because the port is in use
  2    invalid usage
  130  ended by a second signal

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …
             API keys; secondwind models lists the missing ones
  SECONDWIND_KEY
             an access key, of 16 characters or more
  SECONDWIND_HOME
             folder of the store
  REDIS_URL  keep jobs in Redis, for workers of many machines
`;

/** Adds `serve` to the program. Its modules are loaded only when it runs. */
export function addServeCommand(program: Command, done: (code: number) => void): void {
  program
    .command("serve")
    .summary("start the server: its web page and the gateway")
    .description(
      "Starts a server with a web page (chat, activity, policies, the outage lab) and a gateway for other applications.",
    )
    .option("--port <n>", "port to listen on; 0 for any free port (default: 4747, or the next free one)")
    .option("--host <address>", "address to listen on; other machines need an access key", "127.0.0.1")
    .option("--allow-host <name>", "a host name that a proxy passes on; repeatable", collect)
    .option("--key <key>", "an access key; better: SECONDWIND_KEY, or secondwind access add")
    .option("--no-open", "do not open the browser")
    .option("--drain <seconds>", "how long running turns may finish after SIGTERM", "30")
    .option("--log <format>", "text or json", "text")
    .option("--quiet", "print no line for each generation")
    .option("--files <folder>", "let the chat list, read and search the files of this folder")
    .option("--record-bodies", "for debugging: save prompts and answers of the gateway in files")
    .option("--jobs <n>", "jobs that the server runs at a time; 0: only secondwind work runs them", "50")
    .option("--weather <name>", "of the simulated provider: calm, drizzle, storm or quota")
    .option("--seed <n>", "of the simulated provider: the same seed gives the same weather")
    .option("--time-scale <x>", "of the simulated provider: 0.1 is ten times faster")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { serve } = await import("./serve.ts");
      done(await serve(options, program.version() ?? ""));
    });
}

function collect(name: string, names: readonly string[] = []): readonly string[] {
  return [...names, name];
}
