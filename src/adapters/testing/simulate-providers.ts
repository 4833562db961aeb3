import { checkBoolean, checkObject, checkOneOf } from "../../kernel/index.ts";
import { IN_PROCESS_ORIGIN, OTHER_ORIGIN } from "../../simulator/http/in-process/origin.ts";
import { doorInProcess } from "../../simulator/http/in-process/simulate-in-process.ts";
import {
  type Fetch,
  type ReceivedRequest,
  type SimulatorUrls,
  WEATHERS,
  type Weather,
} from "../../simulator/http/index.ts";
import { controlsOf, createState } from "../../simulator/http/server/simulator-state.ts";
import { listenWith } from "../../simulator/http/server/start-simulator.ts";
import { type PlayedScript, playScript, type Script } from "./play-script.ts";

declare global {
  // For projects whose `lib` has no `esnext.disposable`; merges with it where it is present.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export interface ProviderOptions {
  /** What the next calls get, in order. After it, the weather applies: by default every call succeeds. */
  readonly script?: Script | undefined;
  /** What calls get after the script. Default: `calm`, every call succeeds. */
  readonly weather?: Weather | undefined;
  /** Texts, ids and weather depend on it, 0 to 2^32 - 1. Default: 1. */
  readonly seed?: number | undefined;
  /** Multiplies the waits and hints of the providers, 0 to 1000. Default: 1. */
  readonly timeScale?: number | undefined;
  /** Real milliseconds before the first token, 0 to 3,600,000. Default: 0. */
  readonly firstTokenMs?: number | undefined;
  /** Real milliseconds between two tokens, 0 to 3,600,000. Default: 0. */
  readonly tokenMs?: number | undefined;
  /** False: no port is opened, and only `fetch` reaches the providers. Default: true. */
  readonly listen?: boolean | undefined;
  /** 0 to 65535. Default: 0, any free port. */
  readonly port?: number | undefined;
}

/** Simulated OpenAI, Anthropic and Gemini endpoints. */
export interface SimulatedProviders {
  /** The base URL for each client. */
  readonly baseURLs: SimulatorUrls;
  /** Reaches the providers inside this process, without a socket, and nothing else. */
  readonly fetch: Fetch;
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** The steps of the script that no call has had yet, such as `*: rate-limited`. */
  readonly stepsLeft: readonly string[];
  /** Replaces the script, from its first step. Requests are kept. */
  setScript(script: Script): void;
  /** Changes the weather. Without a seed the current one stays. */
  setWeather(weather: Weather, seed?: number): void;
  /** As at the start: the script from its first step, the initial weather, no requests. */
  reset(): void;
  /** Stops at once; replies in progress are cut off, and `fetch` reaches nothing any more. Nothing keeps the process alive afterwards. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const FIELDS = ["script", "listen", "port", "weather", "seed", "timeScale", "firstTokenMs", "tokenMs"];

/** Starts the simulated providers. Throws `InvalidInput` for invalid options. */
export async function simulateProviders(options: ProviderOptions = {}): Promise<SimulatedProviders> {
  checkObject("options", options, FIELDS);
  // Without a wait before and between tokens: a test waits for nothing that it does not ask for.
  const { script: given = [], listen = true, port, firstTokenMs = 0, tokenMs = 0, ...rest } = options;
  checkBoolean("listen", listen);
  let script: PlayedScript = playScript(given);
  const state = createState({ firstTokenMs, tokenMs, port, ...rest });
  state.script = { next: (request) => script.next(request) };
  state.otherOrigin = OTHER_ORIGIN;
  const server = listen ? await listenWith(state, port) : undefined;
  const controls = server ?? controlsOf(state, IN_PROCESS_ORIGIN);
  const door = doorInProcess(state, controls.url);
  const close = async (): Promise<void> => {
    door.close();
    await server?.close();
  };
  return {
    baseURLs: controls.urls,
    fetch: door.fetch,
    get requests() {
      return controls.requests;
    },
    get stepsLeft() {
      return script.left;
    },
    setScript(next) {
      script = playScript(next);
    },
    setWeather(weather, seed) {
      controls.setWeather(checkOneOf("weather", weather, WEATHERS), seed);
    },
    reset() {
      script = playScript(given);
      controls.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
