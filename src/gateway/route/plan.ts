import { type Chain, chainOf, type Target, type TargetEntry } from "../../kernel/index.ts";
import type { Alias, Endpoint } from "./directory.ts";

/** How a request reaches one target. */
export interface Leg {
  readonly endpoint: Endpoint;
  /** Undefined: the model that the request names. */
  readonly model: string | undefined;
  /** Undefined: the client's own key. */
  readonly key: string | undefined;
}

/** The targets of a request, and how to reach each. */
export interface Plan {
  readonly chain: Chain;
  readonly legs: ReadonlyMap<Target, Leg>;
}

/** Of a request that was not read yet. */
export const NO_PLAN: Plan = { chain: chainOf([]), legs: new Map() };

/** For requests that name no model. */
const NO_MODEL = "unnamed";

const MOST_PLANS = 1000;

/** The plans of one directory: the same few models are asked for again and again. */
export class Plans {
  private readonly known = new Map<string, Plan>();

  private last: { readonly asked: Asked; readonly alias: Alias | undefined; readonly plan: Plan } | undefined =
    undefined;

  find(asked: Asked, alias: Alias | undefined): Plan {
    const { last } = this;
    if (last !== undefined && last.alias === alias && isSame(last.asked, asked)) return last.plan;
    const plan = this.findAny(asked, alias);
    this.last = { asked, alias, plan };
    return plan;
  }

  private findAny(asked: Asked, alias: Alias | undefined): Plan {
    const key = `${alias === undefined ? asked.endpoint.name : "alias"} ${asked.client} ${asked.model}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const plan = planFor(asked, alias);
    if (this.known.size >= MOST_PLANS) this.known.clear();
    this.known.set(key, plan);
    return plan;
  }
}

interface Asked {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly client: string;
}

function isSame(one: Asked, other: Asked): boolean {
  return one.endpoint === other.endpoint && one.model === other.model && one.client === other.client;
}

/** `client`: a name for the client's own key, which must not share a cooldown with another's. */
function planFor(asked: Asked, alias: Alias | undefined): Plan {
  const stops =
    alias === undefined
      ? [{ endpoint: asked.endpoint, model: undefined }]
      : alias.models.map(({ endpoint, model }) => ({ endpoint, model }));
  const entries: TargetEntry[] = [];
  const legs: Leg[] = [];
  for (const { endpoint, model } of stops) {
    const { keys, name } = endpoint;
    const named = model ?? asked.model;
    entries.push({
      provider: name,
      model: named.trim() === "" ? NO_MODEL : named,
      credentials: keys.length === 0 ? [asked.client] : keys.length === 1 ? [""] : keys.map((_, at) => `key ${at + 1}`),
    });
    if (keys.length === 0) legs.push({ endpoint, model, key: undefined });
    else legs.push(...keys.map((key) => ({ endpoint, model, key })));
  }
  const chain = chainOf(entries);
  return { chain, legs: new Map(chain.targets.map((target, at) => [target, legs[at] as Leg])) };
}
