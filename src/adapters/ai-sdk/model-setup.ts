import type { CallSetup, Chain, Setup, StreamSetup } from "../../kernel/index.ts";
import { problemIn as problemOf } from "./stream-fault.ts";

/** What differs between kinds of calls. */
type Own = Partial<Pick<CallSetup, "present" | "problemIn"> & Pick<StreamSetup<never>, "inspect" | "toError">> & {
  readonly sink?: unknown;
  readonly textOf?: unknown;
};

/**
 * What all calls of one chain share. One class for all kinds of calls: the engine reads from it at every step, and objects of several
 * shapes, or with a getter of their own, would make each of these reads several times as dear.
 */
export class ModelSetup implements Setup {
  readonly policy: Setup["policy"];
  readonly ports: Setup["ports"];
  readonly chain: Chain;
  readonly health: Setup["health"];
  readonly cancelGraceMs: number;
  readonly isTimed: boolean;
  readonly problemOf: Setup["problemOf"] = problemOf;
  readonly problemIn: Setup["problemIn"];
  readonly park = undefined;
  readonly resume = undefined;
  readonly textOf: unknown;
  readonly present: unknown;
  readonly inspect: unknown;
  readonly sink: unknown;
  readonly toError: unknown;
  private readonly outlet: Setup;

  /** `outlet`: has the listener, which may change at any time. */
  constructor(outlet: Setup, chain: Chain, own: Own = {}) {
    this.policy = outlet.policy;
    this.ports = outlet.ports;
    this.chain = chain;
    this.health = outlet.health;
    this.cancelGraceMs = outlet.cancelGraceMs;
    this.isTimed = outlet.isTimed;
    this.problemIn = own.problemIn;
    this.textOf = own.textOf;
    this.present = own.present;
    this.inspect = own.inspect;
    this.sink = own.sink;
    this.toError = own.toError;
    this.outlet = outlet;
  }

  get listener(): Setup["listener"] {
    return this.outlet.listener;
  }

  /** The same for one kind of call. */
  for<O extends Own>(own: O): this & O {
    return new ModelSetup(this.outlet, this.chain, own) as this & O;
  }
}
