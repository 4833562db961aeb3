import { BASE_POLICY, definePolicy, InvalidInput, type Policy, type PolicyInput } from "../../../kernel/index.ts";
import { PRESETS } from "../../../presets/index.ts";
import type { ConfigStore, OwnPolicy } from "../../../store/index.ts";
import type { PolicyView } from "../../../wire/http/server.ts";
import { ApiProblem, notFound } from "../api/route.ts";

/** A policy as JSON; the largest preset has about 3 KB. */
const MOST_CHARS = 65_536;

/** What uses policies by their names. */
export interface PolicyUser {
  /** What it uses the policy for; undefined: nothing. */
  purposeOf(name: string): string | undefined;
  onChange(): void | Promise<void>;
}

/**
 * The presets and the user's own policies, by name. A policy is frozen data: a turn that runs keeps the one it started with, whatever
 * happens to its name.
 */
export class PolicyBook {
  readonly #config: ConfigStore;
  /** One change after another: two at the same time would read the same list. */
  #last: Promise<unknown> = Promise.resolve();
  /** By their JSON: the same text gives the same object. */
  readonly #made = new Map<string, Policy>();
  readonly #users: PolicyUser[] = [];

  constructor(config: ConfigStore) {
    this.#config = config;
  }

  /** From now on hears of every change, and is asked before a policy is deleted. */
  addUser(user: PolicyUser): void {
    this.#users.push(user);
  }

  async list(): Promise<readonly PolicyView[]> {
    const presets = Object.keys(PRESETS).map((name) => ({ name, isPreset: true, policy: presetOf(name) as Policy }));
    return [...presets, ...(await this.#own()).map((own) => this.#viewOf(own))];
  }

  async names(): Promise<readonly string[]> {
    return [...Object.keys(PRESETS), ...(await this.#own()).map(({ name }) => name)];
  }

  /** Undefined: no policy has this name. */
  async find(name: string): Promise<Policy | undefined> {
    const preset = presetOf(name);
    if (preset !== undefined) return preset;
    const own = (await this.#own()).find((one) => one.name === name);
    return own && this.#make(own.policy);
  }

  /** Adds a policy or replaces it. Fields that are missing come from the one it started from, else from the engine's base. */
  put(name: string, from: string | undefined, given: PolicyInput): Promise<PolicyView> {
    return this.#oneAfterAnother(async () => {
      refusePreset(name);
      if (JSON.stringify(given).length > MOST_CHARS)
        throw new InvalidInput("policy", given, `at most ${MOST_CHARS} characters of JSON`);
      // A complete policy stands for itself: a schedule or status that it has no more must not come back from its base.
      const base = from === undefined || isComplete(given) ? undefined : await this.find(from);
      const policy = definePolicy({ ...given, name }, base);
      const own: OwnPolicy = { name, ...(from !== undefined && { from }), policy };
      const others = await this.#own();
      const place = others.findIndex((one) => one.name === name);
      await this.#config.set("policies", place < 0 ? [...others, own] : others.with(place, own));
      await this.#tell();
      return { name, isPreset: false, ...(from !== undefined && { from }), policy };
    });
  }

  remove(name: string): Promise<void> {
    return this.#oneAfterAnother(async () => {
      refusePreset(name);
      const all = await this.#own();
      const others = all.filter((one) => one.name !== name);
      if (others.length === all.length) throw notFound("policy");
      if ((await this.#config.get("serve.policy")) === name) {
        throw new ApiProblem(
          409,
          `${name} is the policy of new turns (setting serve.policy). Choose another one first`,
        );
      }
      for (const { purposeOf } of this.#users) {
        const purpose = purposeOf(name);
        if (purpose !== undefined)
          throw new ApiProblem(409, `${name} is the policy of ${purpose}. Choose another one there first`);
      }
      await this.#config.set("policies", others);
      await this.#tell();
    });
  }

  async #tell(): Promise<void> {
    for (const { onChange } of this.#users) await onChange();
  }

  #own(): Promise<readonly OwnPolicy[]> {
    return this.#config.get("policies");
  }

  #viewOf({ name, from, policy }: OwnPolicy): PolicyView {
    return { name, isPreset: false, ...(from !== undefined && { from }), policy: this.#make(policy) };
  }

  #make(input: PolicyInput): Policy {
    const text = JSON.stringify(input);
    const made = this.#made.get(text) ?? definePolicy(input);
    // Texts of policies that were edited since are of no use.
    if (this.#made.size > 1000) this.#made.clear();
    this.#made.set(text, made);
    return made;
  }

  #oneAfterAnother<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#last.then(change, change);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

function isComplete(given: PolicyInput): boolean {
  return Object.keys(BASE_POLICY).every((field) => field in given);
}

function presetOf(name: string): Policy | undefined {
  return Object.hasOwn(PRESETS, name) ? PRESETS[name]?.() : undefined;
}

function refusePreset(name: string): void {
  if (presetOf(name) !== undefined)
    throw new ApiProblem(409, `${name} is a preset and can't be changed: save it under another name`, "name");
}
