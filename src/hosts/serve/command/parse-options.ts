import { statSync } from "node:fs";
import { resolve } from "node:path";
import { checkOneOf, InvalidInput } from "../../../kernel/index.ts";
import { type SimulatorOptions, WEATHERS } from "../../../simulator/http/index.ts";
import { BOUNDS } from "../../../simulator/http/server/check-options.ts";
import { parseNumber } from "../../../terminal/parse-number.ts";

/** The options of `secondwind serve`, as commander gives them. */
export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly key?: string;
  readonly open?: boolean;
  readonly drain?: string;
  readonly log?: string;
  readonly quiet?: boolean;
  readonly files?: string;
  readonly recordBodies?: boolean;
  readonly jobs?: string;
  readonly weather?: string;
  readonly seed?: string;
  readonly timeScale?: string;
}

export interface ParsedOptions {
  readonly host: string;
  readonly port: number;
  readonly orNext: boolean;
  readonly allowHosts: readonly string[];
  readonly key?: string;
  readonly opensBrowser: boolean;
  readonly drainMs: number;
  readonly log: "text" | "json";
  readonly isQuiet: boolean;
  readonly files?: string;
  readonly recordsBodies: boolean;
  readonly jobs: number;
  readonly simulator: Omit<SimulatorOptions, "port">;
}

const USUAL_PORT = 4747;
const HOST_NAME = /^(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])$/i;
/** A short one could be guessed. */
const FEWEST_KEY_CHARS = 16;

/** Throws `InvalidInput` naming the option. */
export function parseOptions(
  { port, host = "127.0.0.1", allowHost = [], key, open = true, drain = "30", log = "text", ...rest }: ServeOptions,
  env: Readonly<Record<string, string | undefined>>,
): ParsedOptions {
  const { quiet = false, files, recordBodies = false, jobs = "50", weather, seed, timeScale } = rest;
  const accessKey = checkKey("--key", key) ?? checkKey("SECONDWIND_KEY", env.SECONDWIND_KEY || undefined);
  if (!/^[\w.:-]{1,253}$/.test(host)) throw new InvalidInput("--host", host, "an address of this machine");
  for (const name of allowHost)
    if (!HOST_NAME.test(name)) throw new InvalidInput("--allow-host", name, "a host name without scheme or port");
  return {
    host: host === "localhost" ? "127.0.0.1" : host,
    port: port === undefined ? USUAL_PORT : parseNumber("--port", port, BOUNDS.port),
    orNext: port === undefined,
    allowHosts: allowHost,
    ...(accessKey !== undefined && { key: accessKey }),
    jobs: parseNumber("--jobs", jobs, { min: 0, max: 10_000, integer: true }),
    opensBrowser: open,
    drainMs: parseNumber("--drain", drain, { min: 0, max: 86_400 }) * 1000,
    log: checkOneOf("--log", log, ["text", "json"]),
    isQuiet: quiet,
    recordsBodies: recordBodies,
    ...(files !== undefined && { files: checkFolder(files) }),
    simulator: {
      ...(weather !== undefined && { weather: checkOneOf("--weather", weather, WEATHERS) }),
      ...(seed !== undefined && { seed: parseNumber("--seed", seed, BOUNDS.seed) }),
      ...(timeScale !== undefined && { timeScale: parseNumber("--time-scale", timeScale, BOUNDS.timeScale) }),
    },
  };
}

/** The value is a secret and never part of a message. */
function checkKey(field: string, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (key.length < FEWEST_KEY_CHARS || key.length > 4096 || !/^[!-~]+$/.test(key))
    throw new InvalidInput(
      field,
      `${key.length} characters`,
      `one word of ${FEWEST_KEY_CHARS} to 4096 plain characters`,
    );
  return key;
}

function checkFolder(given: string): string {
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new InvalidInput("--files", given, "a folder that exists");
  return folder;
}
