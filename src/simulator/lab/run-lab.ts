import type { AttemptContext, CallSetup } from "../../kernel/index.ts";
import { createRandom, VirtualWorld } from "../world/index.ts";
import { startClient } from "./client.ts";
import { engineFor, type LabPolicy } from "./engine-for.ts";
import { type Figures, measure } from "./measure.ts";
import { ProviderModel, type ProviderSize } from "./provider-model.ts";
import type { Scenario } from "./scenarios.ts";
import { CLEAR } from "./sky.ts";
import { type Series, Tally } from "./tally.ts";
import { type Timeline, USUAL_TIMELINE } from "./timeline.ts";

export interface LabInput {
  readonly scenario: Scenario;
  readonly policy: LabPolicy;
  readonly clients: number;
  readonly seed: number;
  /** Processes that the clients are spread over, each with a health of its own. Left out: one. */
  readonly replicas?: number;
  /** Left out: as the scenario says. */
  readonly outageMs?: number;
  readonly size?: ProviderSize;
  readonly timeline?: Partial<Timeline>;
  /** How many lines of the log stay readable. Left out: nothing is logged. */
  readonly keepLog?: number;
  /** Told about the world before it runs, so that it can be stopped. */
  readonly onWorld?: (world: VirtualWorld) => void;
  /** Told every virtual second how much of the run is behind us, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface LabRun {
  readonly figures: Figures;
  readonly series: Series;
  /** In seconds from the start. */
  readonly outageFrom: number;
  readonly outageTo: number;
  readonly digest: string;
  readonly log: readonly string[];
  readonly events: number;
  /** False: it was stopped, and the figures mean nothing. */
  readonly isWhole: boolean;
}

/** A provider that fits so many clients: 200 slots for 1,000 of them, and room for all of them in the queue. */
export function sizeFor(clients: number): ProviderSize {
  return { slots: Math.max(1, Math.round(clients / 5)), queueLimit: clients, serviceMs: 1000 };
}

const PROVIDERS = ["first", "second"] as const;
const SECOND = 1000;
/** The engine needs one promise turn from a settled call to its decision; nothing else here waits for promises. */
const TURNS = 2;

/** One policy through one scenario with one seed: the real engine, on virtual time. */
export async function runLab(input: LabInput): Promise<LabRun> {
  const { scenario, clients, seed, size = sizeFor(input.clients), keepLog, outageMs = scenario.outageMs } = input;
  const { warmUpMs, steadyMs, afterMs } = { ...USUAL_TIMELINE, ...input.timeline };
  const outageAtMs = warmUpMs + steadyMs;
  const endMs = outageAtMs + outageMs + afterMs;
  const world = new VirtualWorld({ seed, turns: TURNS, keepLog: keepLog ?? 0 });
  input.onWorld?.(world);
  const tally = new Tally(() => world.nowMs, Math.ceil(endMs / SECOND));
  const weather = scenario.weather(outageMs);
  const names = PROVIDERS.slice(0, scenario.hasFallback ? 2 : 1);
  // The second provider has good weather. Each has its own stream of chance, and the clients theirs: a policy that draws more
  // numbers than another still lives through the same outage.
  const providers = names.map((_, index) => {
    const sky = index === 0 ? () => weather(world.nowMs - outageAtMs) : () => CLEAR;
    return new ProviderModel({ world, size, tally, sky, random: createRandom(seed, 2 + index) });
  });
  const call = (context: AttemptContext): Promise<string> => {
    const { target, attempt, generationId } = context;
    if (keepLog !== undefined) world.note(`${generationId} calls ${target.provider}, attempt ${attempt}`);
    return (providers[target.provider === "second" ? 1 : 0] as ProviderModel).call(context);
  };
  const engines = Array.from({ length: input.replicas ?? 1 }, () =>
    engineFor({ policy: input.policy, world, providers: names }),
  );
  const random = createRandom(seed, 1);
  const thinkMs = thinkTime({ clients, load: scenario.load, size });
  for (let n = 0; n < clients; n++) {
    const engine = engines[n % engines.length] as CallSetup;
    startClient({ world, engine, call, tally, random, thinkMs });
  }
  everySecond(world, () => {
    tally.gauge({ busy: total(providers, "busy"), queued: total(providers, "queued") });
    input.onProgress?.(world.nowMs / endMs);
  });
  await world.runUntil(endMs);
  const outageFrom = outageAtMs / SECOND;
  const outageTo = (outageAtMs + outageMs) / SECOND;
  return {
    figures: measure(tally.series, { steadyFrom: warmUpMs / SECOND, outageFrom, outageTo }),
    series: tally.series,
    outageFrom,
    outageTo,
    digest: world.log.digest,
    log: world.log.lines(),
    events: world.events,
    isWhole: !world.isStopped,
  };
}

export interface Demand {
  readonly clients: number;
  /** Share of what the provider can do. */
  readonly load: number;
  readonly size: ProviderSize;
}

/** So long do clients think that all of them together ask for the wanted share of what the provider can do. */
export function thinkTime({ clients, load, size }: Demand): number {
  const perMs = (load * size.slots) / size.serviceMs;
  return Math.max(0, clients / perMs - size.serviceMs);
}

function total(providers: readonly ProviderModel[], what: "busy" | "queued"): number {
  return providers.reduce((sum, provider) => sum + provider[what], 0);
}

function everySecond(world: VirtualWorld, look: () => void): void {
  const again = (): void => {
    look();
    world.after(SECOND, again);
  };
  world.after(0, again);
}
