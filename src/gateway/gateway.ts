import type { IncomingMessage, ServerResponse } from "node:http";
import type { Piece } from "../formats/index.ts";
import {
  type CallSetup,
  type Chain,
  definePolicy,
  type Health,
  isPolicy,
  type Listener,
  MemoryHealth,
  type Policy,
  type PolicyInput,
  type Ports,
  type Reading,
  type Setup,
  type StreamSetup,
} from "../kernel/index.ts";
import { withCancelMarks } from "../library/cancel-mark.ts";
import { GivenUp } from "../library/given-up.ts";
import { OwnKeys } from "../library/own-keys.ts";
import { toError } from "../library/secondwind-error.ts";
import { setupOf } from "../library/setup.ts";
import { textOfPiece } from "../library/text-of-piece.ts";
import { defaultPolicy } from "../presets/index.ts";
import { PRESETS } from "../presets/presets.ts";
import { systemPorts } from "../system/index.ts";
import type { EarlierVisit } from "./earlier-visit.ts";
import { Exchange } from "./exchange.ts";
import type { GatewayClient, GatewayConfig, GatewayLimits, GatewayOptions } from "./options.ts";
import { RequestHeads } from "./request/request-head.ts";
import { type Directory, makeDirectory } from "./route/directory.ts";
import { isGatewayPath } from "./route/find-route.ts";
import { Running } from "./running.ts";
import { Connections } from "./upstream/connections.ts";

const LIMITS: GatewayLimits = { bodyBytes: 32 * 1024 * 1024, inFlight: 2000 };
/** The errors of what was ended get this long to be sent. */
const FLUSH_MS = 500;

/** How far the policy goes: all the way; without any wait, for a request that was given up a moment ago; or not at all. */
export type Effort = "full" | "no-wait" | "once";

/** The parts that a generation is made from, of either kind. */
export type AnySetup = StreamSetup<Piece> & CallSetup;

/** What all requests share. */
export class Gateway {
  directory: Directory;
  readonly connections = new Connections();
  readonly ports: Ports;
  readonly policies: Readonly<Record<string, Policy>>;
  readonly limits: GatewayLimits;
  readonly givenUp = new GivenUp<EarlierVisit>();
  readonly watch: GatewayOptions["watch"];
  readonly redact: (text: string) => string;
  readonly ownKeys = new OwnKeys();
  readonly running = new Running<Exchange>();
  readonly heads: RequestHeads;
  isDraining = false;
  isClosed = false;
  private readonly policy: Policy;
  private readonly health: Health;
  private readonly setups = new Map<Policy, Record<Effort, Setup>>();
  private readonly derived = new Map<PolicyInput, Policy>();

  constructor(options: GatewayOptions) {
    this.directory = makeDirectory(options);
    this.ports = withCancelMarks(options.ports ?? systemPorts());
    this.health = options.health ?? new MemoryHealth();
    this.policies =
      options.policies ?? Object.fromEntries(Object.entries(PRESETS).map(([name, make]) => [name, make()]));
    this.heads = new RequestHeads(this.policies);
    this.limits = { ...LIMITS, ...options.limits };
    this.watch = options.watch;
    this.redact = options.redact ?? ((text) => text);
    this.policy = toPolicy(options.policy ?? defaultPolicy(), defaultPolicy());
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.running.size;
  }

  /** Whether a path is the gateway's. */
  takes(path: string): boolean {
    return isGatewayPath(path, this.directory);
  }

  /** Answers a request. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, client: GatewayClient = {}): void {
    try {
      Exchange.open({ gateway: this, request, response, client });
    } catch (fault) {
      this.ports.reportFault(fault, "gateway");
      response.destroy();
    }
  }

  /** Replaces where requests may go. Those under way end as they began. Throws `InvalidInput`, and then nothing has changed. */
  configure(config: GatewayConfig): void {
    this.directory = makeDirectory(config);
  }

  /** Stops accepting, lets what is under way finish for this long, ends the rest with an error, and closes the connections. */
  async close(drainMs = 0): Promise<void> {
    this.isDraining = true;
    await this.idleWithin(drainMs);
    this.isClosed = true;
    for (const exchange of this.running.list()) exchange.stop();
    await this.idleWithin(FLUSH_MS);
    this.connections.destroy();
  }

  private async idleWithin(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (this.inFlight > 0 && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  policyFor(name: string | undefined, own: Policy | PolicyInput | undefined): Policy {
    if (name !== undefined) return this.policies[name] ?? this.policy;
    if (own === undefined) return this.policy;
    if (isPolicy(own)) return own;
    const known = this.derived.get(own) ?? toPolicy(own, this.policy);
    this.derived.set(own, known);
    return known;
  }

  setupFor(policy: Policy, effort: Effort, chain: Chain, listener: Listener | undefined): AnySetup {
    const { policy: prepared, ports, health, cancelGraceMs } = this.baseFor(policy)[effort];
    return {
      policy: prepared,
      ports,
      health,
      cancelGraceMs,
      chain,
      listener,
      isTimed: true,
      inspect: readingOf,
      sink: prepared.policy.require === null ? "committed" : "buffered",
      textOf: textOfPiece,
      toError,
      present: itself,
    };
  }

  private baseFor(policy: Policy): Record<Effort, Setup> {
    const known = this.setups.get(policy);
    if (known !== undefined) return known;
    const { health, ports } = this;
    const made = {
      full: setupOf(policy, { health, ports }),
      "no-wait": setupOf(definePolicy({ patienceMs: 0 }, policy), { health, ports }),
      once: setupOf(definePolicy({ enabled: false }, policy), { health, ports }),
    };
    // Policies of single requests come and go.
    if (this.setups.size > 100) this.setups.clear();
    this.setups.set(policy, made);
    return made;
  }
}

function toPolicy(policy: Policy | PolicyInput, base: Policy): Policy {
  return isPolicy(policy) ? policy : definePolicy(policy, base);
}

function readingOf({ reading }: Piece): Reading {
  return reading;
}

const itself = <T>(generation: T): T => generation;
