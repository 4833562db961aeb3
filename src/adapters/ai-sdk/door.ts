import { chainOf, type Policy, type PolicyInput, type Setup, type Target } from "../../kernel/index.ts";
import { checkOptions, ENGINE_FIELDS, type EngineOptions, setupOf } from "../../library/setup.ts";
import { type Subscribe, subscriptionsOf } from "../../library/subscriptions.ts";
import type { Model } from "./check-models.ts";
import { ModelSetup } from "./model-setup.ts";
import { targetEntries } from "./target-entries.ts";

/** Options for all calls of one resilient model. The models are the targets, and each call brings its own signal. */
export type ResilientModelOptions = Omit<EngineOptions, "targets">;

type Outlet = Setup & Parameters<typeof subscriptionsOf>[0];

const FIELDS = ENGINE_FIELDS.filter((field) => field !== "targets");

/** What all calls through one wrapper share. */
export interface Door {
  readonly setup: Setup;
  readonly subscribe: Subscribe;
}

/** A chain of models behind a door. */
export interface Chained<M> {
  readonly setup: ModelSetup;
  readonly primary: M;
  readonly modelAt: (target: Target) => M;
}

/** Invalid options throw here, before anything is called. `models`: none if each call brings its own. */
export function openDoor(
  policy: Policy | PolicyInput | undefined,
  options: ResilientModelOptions,
  models: readonly Model[],
): Door {
  checkOptions(options, FIELDS);
  const setup: Outlet = setupOf(policy, { ...options, targets: targetEntries(models) });
  return { setup, subscribe: subscriptionsOf(setup, options.on) };
}

export function chainModels<M extends Model>({ setup }: Door, models: readonly M[]): Chained<M> {
  const chain = chainOf(targetEntries(models), "models");
  const [primary] = models as readonly [M];
  const byTarget = new Map(chain.targets.map((target, index) => [target, models[index] as M]));
  return {
    setup: new ModelSetup(setup, chain),
    primary,
    modelAt: models.length === 1 ? () => primary : (target) => byTarget.get(target) ?? primary,
  };
}
