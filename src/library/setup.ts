import {
  chainOf,
  checkBoolean,
  checkNumber,
  checkObject,
  checkString,
  definePolicy,
  GuardedHealth,
  type Health,
  InvalidInput,
  isPolicy,
  type Listener,
  MAX_DELAY_MS,
  MemoryHealth,
  type Policy,
  type PolicyInput,
  type Ports,
  preparePolicy,
  type Setup,
  SINGLE_TARGET,
  type TargetEntry,
  type TextOf,
} from "../kernel/index.ts";
import { defaultPolicy } from "../presets/index.ts";
import { systemPorts } from "../system/index.ts";
import { failedResponse } from "./failed-response.ts";

/** Options for all generations of one wrapper. */
export interface EngineOptions {
  /** The fallback chain, in order. Default: one target without a name. */
  readonly targets?: readonly TargetEntry[] | undefined;
  /** Shared memory of cooldowns, breakers and the retry budget. Default: a new one. */
  readonly health?: Health | undefined;
  /** Receives every event. If it throws, the fault is reported and the generation continues. */
  readonly on?: Listener | undefined;
  /** Clock, random source and other effects. Default: the real ones. */
  readonly ports?: Ports | undefined;
  /** How long a cancelled attempt may take to settle before the next one starts, in ms. Default 0: the next one starts at once. */
  readonly cancelGraceMs?: number | undefined;
}

/** Options for one generation. */
export interface GenerationOptions {
  /** Ends the generation at once, whatever it is doing. A stream or a `Response` that the call has returned is out of its reach. */
  readonly signal?: AbortSignal | undefined;
  /** Names the generation in events, receipts and filters. Default: a new id. */
  readonly id?: string | undefined;
}

export const ENGINE_FIELDS = ["targets", "health", "on", "ports", "cancelGraceMs"] as const;
export const GENERATION_FIELDS = ["signal", "id"] as const;

const HEALTH_METHODS = ["blockedForMs", "admit", "succeeded", "failed", "released", "coolDown"] as const;

/** Builds the engine's parts from the caller's options. Invalid options throw here, before anything runs. */
export function setupOf(policy: Policy | PolicyInput | undefined, options: EngineOptions): Setup {
  const made = policyOf(policy);
  const ports = options.ports === undefined ? systemPorts() : checkPorts(options.ports);
  const chain = options.targets === undefined ? SINGLE_TARGET : chainOf(options.targets);
  if (options.on !== undefined) checkFunction("options.on", options.on);
  return {
    policy: preparePolicy(made),
    ports,
    chain,
    health: healthOf(options.health, made, chain.targets.length, ports),
    listener: options.on,
    isTimed: true,
    cancelGraceMs:
      options.cancelGraceMs === undefined
        ? 0
        : checkNumber("options.cancelGraceMs", options.cancelGraceMs, { min: 0, max: MAX_DELAY_MS }),
  };
}

/** A finished policy as it is, or the recommended one with the given changes. */
function policyOf(policy: Policy | PolicyInput | undefined): Policy {
  if (policy === undefined) return defaultPolicy();
  return isPolicy(policy) ? policy : definePolicy(policy, defaultPolicy());
}

const PORT_METHODS = [
  "now",
  "roughNow",
  "wallNow",
  "random",
  "sleep",
  "rouse",
  "watch",
  "unwatch",
  "newAbort",
  "reasonOf",
  "onAbort",
  "offAbort",
  "newId",
  "reportFault",
] as const satisfies readonly (keyof Ports)[];

function checkPorts(ports: Ports): Ports {
  checkObject("options.ports", ports);
  for (const method of PORT_METHODS) checkFunction(`options.ports.${method}`, ports[method]);
  return ports;
}

/** Health is needed only with several targets, a breaker or a budget. */
function healthOf(given: Health | undefined, policy: Policy, targets: number, ports: Ports): Health | undefined {
  // Ours can't break; one that was derived from it may.
  if (given !== undefined && given?.constructor === MemoryHealth) return given;
  if (given !== undefined) {
    if (typeof given !== "object" || given === null) throw new InvalidInput("options.health", given, "an object");
    const methods = given as unknown as Record<string, unknown>;
    checkBoolean("options.health.isQuiet", methods.isQuiet);
    for (const method of HEALTH_METHODS) checkFunction(`options.health.${method}`, methods[method]);
    return new GuardedHealth(given, ports);
  }
  const isNeeded = targets > 1 || policy.breaker !== null || policy.budget !== null;
  return isNeeded ? new MemoryHealth() : undefined;
}

export function checkFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw new InvalidInput(field, value, "a function");
}

export function checkSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  const signal = value as Partial<AbortSignal> | null;
  if (typeof signal?.aborted === "boolean" && typeof signal.addEventListener === "function")
    return value as AbortSignal;
  throw new InvalidInput("options.signal", value, "an AbortSignal");
}

export function checkId(value: unknown): string {
  return value === undefined ? "" : checkString("options.id", value);
}

/** What makes an answer a failure though nothing was thrown. */
export function problemsIn(options: ResponseOptions): Setup["problemIn"] {
  const { acceptErrorResponses = false } = options;
  return checkBoolean("options.acceptErrorResponses", acceptErrorResponses) ? undefined : failedResponse;
}

interface ResponseOptions {
  readonly acceptErrorResponses?: boolean | undefined;
}

/** The caller's `textOf`. Null is what several SDKs give for an answer without text. */
export function ownText<T>(own: ((value: T) => TextOf) | undefined): ((value: unknown) => TextOf) | undefined {
  if (own === undefined) return undefined;
  return (value) => {
    const text: TextOf | null = own(value as T);
    return text === null ? "" : text;
  };
}

export function checkOptions(value: unknown, known: readonly string[]): void {
  const given = checkObject("options", value, known);
  if (given.textOf !== undefined) checkFunction("options.textOf", given.textOf);
  if (given.inspect !== undefined) checkFunction("options.inspect", given.inspect);
}
