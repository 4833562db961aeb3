import type { GenerationEvent, Ports } from "../../../kernel/index.ts";
import { reportFault } from "../../../system/report-fault.ts";
import { watchCaller } from "../host/caller.ts";
import type { Page } from "../host/host.ts";
import type { Settings } from "../settings/schema.ts";
import { Carried, type Wish } from "./carried.ts";
import { copyPlain } from "./copy-plain.ts";
import type { Config } from "./fallback-chain.ts";
import { newUuid } from "./new-uuid.ts";
import { isCarried, planFor } from "./policy-for.ts";

/** Hears the events of every generation. */
type Observer = (event: GenerationEvent, carried: Carried) => void;

interface CarrierParts {
  readonly page: Page;
  readonly ports: Ports;
  settings(): Settings;
  stopInHost(id: string): unknown;
  /** Nothing is running any more. */
  idle(): void;
  readonly observers: readonly Observer[];
}

/** All running generations by id. Passes on the host's events and stops. */
export class Carrier {
  private readonly parts: CarrierParts;
  private readonly underWay = new Map<string, Carried>();
  /** We are stopping an attempt: a stop event that the host emits meanwhile is our echo. */
  private isStopping = false;
  /** Echoes still to come, by id: the host may emit them when the next attempt is already running. */
  private readonly echoes = new Map<string, number>();
  /** Stops that came before the host had started: repeated once it has. */
  private readonly tooEarly = new Set<string>();

  constructor(parts: CarrierParts) {
    this.parts = parts;
  }

  /** Carries a call, or returns undefined if the host should handle it. Throws only before the host was called. */
  carry(config: unknown, call: (config: Config) => unknown): Promise<unknown> | undefined {
    if (typeof config !== "object" || config === null) return undefined;
    const { page, settings } = this.parts;
    const given = (config as Config).generation_id;
    const filterId = given === undefined || given === null ? "" : String(given);
    if (!isCarried(settings(), filterId)) return undefined;
    const same = filterId === "" ? undefined : this.underWay.get(filterId);
    // The host rejects an id in use itself; but while our generation waits, the host does not know the id.
    if (same?.isWithHost === true) return undefined;
    if (same !== undefined)
      return page.Promise.reject(new page.Error(`ID为 '${filterId}' 的请求正在进行中，无法启动用同一 ID 的生成任务`));
    return this.begin(filterId === "" ? newUuid() : filterId, config as Config, call);
  }

  private begin(id: string, config: Config, call: (config: Config) => unknown): Promise<unknown> {
    const { page, ports } = this.parts;
    const carried = new Carried({
      id,
      config: copyPlain(config),
      call,
      page,
      ports,
      plan: planFor(this.parts.settings()),
      stop: () => this.stopInHost(id),
      settled: () => {
        this.tooEarly.delete(id);
        this.rest();
      },
      hear: (event, about) => this.notify(event, about),
      ended: () => {
        leaveCaller();
        this.underWay.delete(id);
        this.rest();
      },
    });
    // Nothing can use the answer then: the running attempt finishes, as it would without the script.
    const leaveCaller = watchCaller(page, config, () => carried.end("caller-gone"));
    this.underWay.set(id, carried);
    try {
      carried.start();
    } catch (fault) {
      leaveCaller();
      this.underWay.delete(id);
      throw fault;
    }
    return carried.promise;
  }

  /** Whether a generation is running, or one that was given up has yet to be stopped in the host. */
  get isBusy(): boolean {
    return this.underWay.size > 0 || this.tooEarly.size > 0;
  }

  private rest(): void {
    if (!this.isBusy) this.parts.idle();
  }

  private stopInHost(id: string): void {
    this.isStopping = true;
    this.expectEcho(id, 1);
    let isStopped = false;
    try {
      isStopped = this.parts.stopInHost(id) === true;
    } catch (fault) {
      reportFault(fault, "stop in the host");
    }
    this.isStopping = false;
    if (isStopped) return;
    this.expectEcho(id, -1);
    this.tooEarly.add(id);
  }

  private expectEcho(id: string, change: 1 | -1): void {
    const expected = (this.echoes.get(id) ?? 0) + change;
    if (expected > 0) this.echoes.set(id, expected);
    else this.echoes.delete(id);
  }

  private notify(event: GenerationEvent, carried: Carried): void {
    for (const observe of this.parts.observers) {
      try {
        observe(event, carried);
      } catch (fault) {
        reportFault(fault, "observer");
      }
    }
  }

  heardText(text: unknown, id: unknown): void {
    this.underWay.get(String(id))?.heardText(text);
  }

  heardStart(id: unknown): void {
    if (this.tooEarly.delete(String(id))) this.stopInHost(String(id));
  }

  /** The host stopped one generation, or, without an id, its Stop button was pressed. */
  heardStop(id: unknown): void {
    if (id === undefined || id === null) {
      if (this.isStopping) return;
      for (const carried of this.underWay.values()) if (!carried.isSilent) carried.end("stop-button");
    } else if (this.echoes.has(String(id))) this.expectEcho(String(id), -1);
    else this.underWay.get(String(id))?.end("stopped-by-id");
  }

  /** A script calls the host's stop function. Returns whether this ended one of our waits, which the host does not know about. */
  stopById(id: unknown): boolean {
    const carried = this.underWay.get(String(id));
    const wasWaiting = carried?.isWaiting ?? false;
    carried?.end("stopped-by-id");
    return wasWaiting;
  }

  endAll(wish: Wish): void {
    for (const carried of this.underWay.values()) carried.end(wish);
  }

  abandonAll(): void {
    for (const carried of this.underWay.values()) carried.abandon();
    this.underWay.clear();
    this.tooEarly.clear();
  }
}
