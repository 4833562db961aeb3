import type { AttemptContext, CallSetup } from "../../kernel/index.ts";
import { createRandom, VirtualWorld } from "../world/index.ts";
import { sendRequest, startClient } from "./client.ts";
import { type Conditions, NORMAL } from "./conditions.ts";
import { couldGive } from "./could-give.ts";
import { engineFor } from "./engine-for.ts";
import type { Entrant } from "./entrant.ts";
import { type Figures, figuresOf } from "./figures-of.ts";
import { type Measured, measure, type Usual } from "./measure.ts";
import { callsPerSecond, ProviderModel, type ProviderSize } from "./provider-model.ts";
import type { Scenario } from "./scenarios.ts";
import { SharedHub } from "./shared-hub.ts";
import { type Series, Tally } from "./tally.ts";

/** In ms, one after another; the outage lies between `steadyMs` and `afterMs`. */
interface Timeline {
  /** The load settles; nothing is measured. */
  readonly warmUpMs: number;
  /** The steady state is measured. */
  readonly steadyMs: number;
  /** How long the run continues after the outage. */
  readonly afterMs: number;
}

const USUAL_TIMELINE = { warmUpMs: 10_000, steadyMs: 50_000 };

interface LabInput extends Entrant {
  readonly scenario: Scenario;
  readonly clients: number;
  readonly seed: number;
  /** Processes that the clients are spread over; each has its own health. Default: 1. */
  readonly replicas?: number;
  /** Whether the processes tell each other what they learn. Default: false. */
  readonly isShared?: boolean;
  /** Default: the scenario's. */
  readonly outageMs?: number;
  readonly size?: ProviderSize;
  readonly timeline?: Partial<Timeline>;
  /** Called with the world before it runs, so that it can be stopped. */
  readonly onWorld?: (world: VirtualWorld) => void;
  /** Called every virtual second with the finished share of the run, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface LabRun {
  /** What the figures are made of, to add up over several runs. */
  readonly measured: Measured;
  readonly figures: Figures;
  readonly series: Series;
  /** Seconds from the start of the run. */
  readonly outageFrom: number;
  readonly outageTo: number;
  readonly events: number;
  /** False: it was stopped, and the figures mean nothing. */
  readonly isWhole: boolean;
}

const CLIENTS_PER_SLOT = 5;

/** With fewer slots, a small provider's own queue would hide what a policy does. */
const LEAST_SLOTS = 10;

/**
 * The provider for a number of clients: 200 slots for 1,000 clients, for a few clients one each and room for a burst, and a queue with
 * room for all of them.
 */
export function sizeFor(clients: number): ProviderSize {
  const ownSlots = Math.max(Math.round(clients / CLIENTS_PER_SLOT), Math.min(clients, LEAST_SLOTS));
  const slots = Math.max(LEAST_SLOTS, ownSlots);
  return { slots, ownSlots, queueLimit: Math.max(clients, CLIENTS_PER_SLOT * slots), serviceMs: 1000 };
}

const PROVIDERS = ["first", "second"] as const;
const SECOND = 1000;
/** The engine needs one promise turn from a settled call to its decision; nothing else here awaits promises. */
const TURNS = 2;

/** One policy through one scenario with one seed: the real engine, on virtual time. */
export async function runLab(input: LabInput): Promise<LabRun> {
  const { scenario, clients, seed, size = sizeFor(input.clients), outageMs = scenario.outageMs } = input;
  const { warmUpMs, steadyMs, afterMs } = { ...USUAL_TIMELINE, afterMs: scenario.afterMs, ...input.timeline };
  const outageAtMs = warmUpMs + steadyMs;
  const endMs = outageAtMs + outageMs + afterMs;
  const world = new VirtualWorld({ seed, turns: TURNS });
  input.onWorld?.(world);
  const tally = new Tally({ now: () => world.nowMs, seconds: Math.ceil(endMs / SECOND), timedFromMs: outageAtMs });
  const conditions = (): Conditions => {
    const sinceMs = world.nowMs - outageAtMs;
    if (sinceMs < 0) return scenario.before;
    return sinceMs < outageMs ? scenario.during(sinceMs) : scenario.after(sinceMs - outageMs);
  };
  const names = PROVIDERS.slice(0, scenario.hasFallback ? 2 : 1);
  // Each provider and the clients have their own stream of random numbers: a policy that draws more of them than another
  // still meets the same outage.
  const providers = names.map((name, index) => {
    const random = createRandom(seed, 2 + index);
    return new ProviderModel({ world, size, tally, random, conditions: name === "first" ? conditions : () => NORMAL });
  });
  const call = (context: AttemptContext): Promise<string> =>
    (providers[context.target.provider === "second" ? 1 : 0] as ProviderModel).call(context);
  const hub = input.isShared === true ? new SharedHub(world, createRandom(seed, 9)) : undefined;
  const newHealth = input.newHealth ?? (hub && (() => hub.newHealth()));
  const entrant = { policy: input.policy, ...(newHealth !== undefined && { newHealth }) };
  const engines = Array.from({ length: input.replicas ?? 1 }, () => engineFor(entrant, world, names));
  const random = createRandom(seed, 1);
  const thinkMs = thinkTime(clients, scenario.load, size);
  for (let n = 0; n < clients; n++) {
    const engine = engines[n % engines.length] as CallSetup;
    const setup = { world, engine, call, tally, random, thinkMs };
    if (scenario.start === "steady") startClient(setup);
    else if (scenario.start === "at-once") startClient({ ...setup, firstAtMs: outageAtMs });
    else world.after(outageAtMs, () => repeat(burstOf(n, clients, size), () => sendRequest(setup)));
  }
  everySecond(world, () => {
    tally.gauge({ busy: total(providers, "busy"), queued: total(providers, "queued") });
    input.onProgress?.(world.nowMs / endMs);
  });
  await world.runUntil(endMs);
  const outageFrom = outageAtMs / SECOND;
  const outageTo = (outageAtMs + outageMs) / SECOND;
  const isSteady = scenario.start === "steady";
  const measured = measure({
    ...{ series: tally.series, answers: tally.answers },
    times: { steadyFrom: warmUpMs / SECOND, outageFrom, outageTo, settle: scenario.settleMs / SECOND },
    hasPeak: hasPeak(scenario, size),
    // Where everything starts at once, an outage of a second is no time in which answers could be counted.
    ...(isSteady
      ? { couldGive: (perSecond) => couldGive(scenario, size, outageMs, perSecond) }
      : { usual: usualOf(scenario, size) }),
  });
  return {
    measured,
    figures: figuresOf([measured]) as Figures,
    series: tally.series,
    outageFrom,
    outageTo,
    events: world.events,
    isWhole: !world.isStopped,
  };
}

/** The mean pause between two requests of a client for which all clients produce this share of the provider's capacity. */
export function thinkTime(clients: number, load: number, size: ProviderSize): number {
  const perMs = (load * ownSlotsOf(size)) / size.serviceMs;
  return Math.max(0, clients / perMs - size.serviceMs);
}

/** Answers per second that a provider must be able to give for peak and recovery to be more than chance. */
const LARGE = 100;

/**
 * Whether peak and recovery mean something. At 40 calls a second (500 clients, 40 % load) the busiest second has half as many again by
 * chance, and five seconds vary by 7 %; with five clients a peak of 8 and no recovery at all are chance as well.
 */
export function hasPeak({ isConstant }: Scenario, { slots, serviceMs }: ProviderSize): boolean {
  return !isConstant && (slots * SECOND) / serviceMs >= LARGE;
}

/** Ten calls per slot, so two for each of 1,000 clients; the same number of calls per slot at every size. */
const BURST_PER_SLOT = 10;

/** How many calls of the burst the n-th client sends. */
function burstOf(n: number, clients: number, size: ProviderSize): number {
  const calls = BURST_PER_SLOT * ownSlotsOf(size);
  return Math.floor(calls / clients) + (n < calls % clients ? 1 : 0);
}

function ownSlotsOf({ slots, ownSlots = slots }: ProviderSize): number {
  return ownSlots;
}

/** Calls of a burst. */
export function burstSize(clients: number): number {
  return BURST_PER_SLOT * ownSlotsOf(sizeFor(clients));
}

/** What is usual where there is no steady state before the outage. After a burst no call comes any more. */
function usualOf({ start, load, before: { quota } }: Scenario, size: ProviderSize): Usual {
  const perSecond = (load * ownSlotsOf(size) * SECOND) / size.serviceMs;
  if (start !== "burst") return { callsPerSecond: perSecond, answersPerSecond: perSecond, callMs: size.serviceMs };
  return {
    callsPerSecond: quota === undefined ? 0 : callsPerSecond(quota, size),
    answersPerSecond: 0,
    callMs: 0,
  };
}

function total(providers: readonly ProviderModel[], what: "busy" | "queued"): number {
  return providers.reduce((sum, provider) => sum + provider[what], 0);
}

function repeat(times: number, what: () => void): void {
  for (let n = 0; n < times; n++) what();
}

function everySecond(world: VirtualWorld, look: () => void): void {
  const again = (): void => {
    look();
    world.after(SECOND, again);
  };
  world.after(0, again);
}
