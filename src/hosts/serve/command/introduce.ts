import type { Colours } from "../../../terminal/index.ts";
import type { RunningServer } from "../build-server.ts";
import { isLoopback } from "../guard/allowed-host.ts";
import type { ParsedOptions } from "./parse-options.ts";

/** The lines after the start: the address, what to do, and what is unusual. */
export function introduce(server: RunningServer, options: ParsedOptions, colours: Colours): readonly string[] {
  const { url, port, isSimulated, isPersistent, needsKey, bodyFolder } = server;
  const isMoved = options.port !== 0 && port !== options.port;
  return [
    `Secondwind is running at ${colours.bold(url)}`,
    ...(isMoved ? [`Port ${options.port} is in use, so this is the next free one.`] : []),
    isSimulated
      ? "No API key found, so the simulated provider is used. Open the address, send a message, then choose Storm."
      : `Open the address and send a message. Model: ${server.model}.`,
    `Base URL for other applications: ${url}/v1 (OpenAI), ${url} (Anthropic, Gemini). Set-ups: ${url}/connect`,
    ...(needsKey
      ? [
          "Every request needs an access key, also from this machine: SECONDWIND_KEY, or one from: secondwind access add NAME",
        ]
      : []),
    ...(isLoopback(options.host) ? [] : [`Other machines can reach it too, on port ${port}.`]),
    ...(!needsKey && options.allowHosts.length > 0
      ? [
          `Anyone who can reach ${options.allowHosts.join(", ")} can use this server. Set SECONDWIND_KEY to require a key.`,
        ]
      : []),
    ...(bodyFolder === undefined ? [] : [`Prompts and answers of the gateway are saved in ${bodyFolder}`]),
    ...(isPersistent ? [] : ["Conversations are not saved in this run."]),
    colours.dim("Press Ctrl-C to stop."),
  ];
}
