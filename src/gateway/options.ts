import type { WireFormat } from "../formats/index.ts";
import type { Health, Listener, Policy, PolicyInput, Ports } from "../kernel/index.ts";

/** An endpoint that requests can be sent to, by its name. */
export interface GatewayEndpoint {
  /** As its SDK takes it: `https://openrouter.ai/api/v1`. */
  readonly baseURL: string;
  readonly format: WireFormat;
  /** Its keys, in order of preference. Default: the client's own key. */
  readonly keys?: string | readonly string[];
}

/** A name for a chain of models, which clients ask for like a model. */
export interface GatewayAlias {
  /** `endpoint/model`, in order of preference. All of one wire format. */
  readonly models: readonly string[];
  /** A policy, or changes to the gateway's. Default: the gateway's. */
  readonly policy?: Policy | PolicyInput;
}

/** Where requests may go. It can be replaced while requests run. */
export interface GatewayConfig {
  /** Endpoints besides the known ones, or in their place. */
  readonly endpoints?: Readonly<Record<string, GatewayEndpoint>>;
  readonly aliases?: Readonly<Record<string, GatewayAlias | readonly string[]>>;
}

export interface GatewayLimits {
  /** The largest request. Default 32 MiB. */
  readonly bodyBytes: number;
  /** Requests at a time, waiting ones included. Default 2000. */
  readonly inFlight: number;
}

export interface GatewayOptions extends GatewayConfig {
  /** Default: the recommended policy. */
  readonly policy?: Policy | PolicyInput;
  /** Policies that a request may choose by `x-secondwind-policy`. Default: the presets. */
  readonly policies?: Readonly<Record<string, Policy>>;
  /** Cooldowns, breakers and the retry budget. Default: new ones. */
  readonly health?: Health;
  readonly ports?: Ports;
  /** Is told of each generation before it starts; returns what hears its events. */
  readonly watch?: (facts: GatewayFacts) => GatewayWatch | undefined;
  readonly limits?: Partial<GatewayLimits>;
  /** Takes secrets out of errors, besides the keys of endpoints, which never leave. */
  readonly redact?: (text: string) => string;
}

/** Hears of one generation. */
export interface GatewayWatch {
  readonly on: Listener;
  /** The first content was given to the client. */
  content?(): void;
}

/** What is known of a generation before it starts. */
export interface GatewayFacts {
  readonly format: WireFormat;
  /** The endpoint's name. */
  readonly endpoint: string;
  /** The path that was asked for, without its query. */
  readonly route: string;
  /** The model that was asked for; empty: none was named. */
  readonly model: string;
  /** The name of the client's key, if it has one. */
  readonly client: string;
  readonly policy: string;
}

/** Who sends a request. */
export interface GatewayClient {
  /** The name of its key. Default: none. */
  readonly name?: string;
  /** True: its key is one of the gateway's own, and is not passed on. Default false: it is the endpoint's. */
  readonly isKnown?: boolean;
}
