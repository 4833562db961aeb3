import type { HealthLink, Ports } from "../kernel/index.ts";
import type { SharedHealth } from "../kernel/shared/shared-health.ts";
import { Connection } from "./connection.ts";
import type { RedisPlace } from "./redis-url.ts";
import { type ClockGap, clockGap } from "./shared-clock.ts";

/** What the way to the other processes does, for people. */
export interface LinkStatus {
  /** `connecting`: it has not been reached yet. `away`: health is that of this process alone. */
  readonly state: "connecting" | "connected" | "away";
  /** Since when, epoch ms. */
  readonly since: number;
  /** `host:port` of the Redis. */
  readonly redis: string;
  /** Why it is away. */
  readonly reason?: string;
  /** Processes that share health, this one included; 1 while it is away. */
  readonly processes: number;
  /** The last answer's way there and back. */
  readonly roundTripMs?: number;
  /** How often it went away, and messages in both directions. */
  readonly outages: number;
  readonly sent: number;
  readonly received: number;
}

export interface LinkOptions {
  readonly place: RedisPlace;
  readonly prefix: string;
  readonly id: string;
  readonly health: SharedHealth;
  readonly ports: Pick<Ports, "now" | "wallNow" | "random" | "reportFault">;
  /** Gets one line when Redis goes away and one when it is back. */
  readonly say: (line: string) => void;
}

/** The first pause before it is tried again, and the longest. Each is shortened by up to half, so that a fleet does not come back at once. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 700;
/** With more messages than this without an answer, the next ones wait: they only get larger. */
const MOST_UNANSWERED = 8;

/** Keeps the way to the other processes open. Nothing waits for it. */
export class RedisLink implements HealthLink {
  readonly #options: LinkOptions;
  #connection: Connection | undefined = undefined;
  #gap: ClockGap | undefined = undefined;
  #status: Omit<LinkStatus, "processes" | "roundTripMs">;
  #pauseMs = FIRST_PAUSE_MS;
  #unanswered = 0;
  /** There is news that waits for an answer to earlier messages. */
  #isHeld = false;
  #isClosed = false;
  #alarm: NodeJS.Timeout | undefined = undefined;
  #alarmAtMs = Number.POSITIVE_INFINITY;
  #comingBack: NodeJS.Timeout | undefined = undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { place, ports } = options;
    this.#status = {
      ...{ state: "connecting", since: ports.wallNow(), redis: place.shown },
      ...{ outages: 0, sent: 0, received: 0 },
    };
    void this.#open();
  }

  get status(): LinkStatus {
    const processes = this.#options.health.exchange.processes;
    return { ...this.#status, processes, ...(this.#gap !== undefined && { roundTripMs: this.#gap.roundTripMs }) };
  }

  wake(withinMs: number): void {
    const atMs = this.#options.ports.now() + withinMs;
    if (this.#isClosed || this.#connection === undefined || atMs >= this.#alarmAtMs) return;
    clearTimeout(this.#alarm);
    this.#alarmAtMs = atMs;
    this.#alarm = setTimeout(() => this.#speak(), withinMs);
    this.#alarm.unref();
  }

  claim(claim: Parameters<HealthLink["claim"]>[0], answer: (isGranted: boolean) => void): void {
    const connection = this.#connection;
    // Unanswered claims count as granted after a while: each process then probes for itself.
    connection?.claim(claim).then(answer, (fault) => this.#lose(connection, fault));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#alarm);
    clearTimeout(this.#comingBack);
    this.#options.health.exchange.leave();
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #open(): Promise<void> {
    const { place, prefix, id, health, ports } = this.#options;
    let opened: Connection | undefined;
    // What comes before the facts are here is news to them.
    const early: string[] = [];
    const onMessage = (text: string): void => void (opened === undefined ? early.push(text) : this.#hear(text));
    const onLost = (reason: unknown): void => {
      if (opened !== undefined) this.#lose(opened, reason);
    };
    try {
      const [connection, { sharedMs, facts, sentMs }] = await Connection.open(
        { place, prefix, id, onMessage, onLost },
        ports.now,
      );
      if (this.#isClosed) return connection.close();
      opened = connection;
      this.#connection = connection;
      this.#unanswered = 0;
      this.#isHeld = false;
      this.#gap = clockGap(undefined, { sharedMs, sentMs, receivedMs: ports.now() });
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#noteBack();
      health.exchange.join(this, this.#gap.offsetMs, facts);
      for (const text of early) this.#hear(text);
      this.#comeUsually();
    } catch (fault) {
      this.#noteAway(fault);
    }
  }

  /** What goes as usual need not be woken for. */
  #comeUsually(): void {
    this.wake(this.#options.health.exchange.pace.usualMs * (0.75 + this.#options.ports.random() / 2));
  }

  #speak(): void {
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    const connection = this.#connection;
    if (connection === undefined) return;
    const { health, ports } = this.#options;
    this.#isHeld = this.#unanswered >= MOST_UNANSWERED;
    const said = this.#isHeld ? undefined : health.exchange.announce();
    this.#comeUsually();
    if (said === undefined) return;
    const sentMs = ports.now();
    this.#unanswered++;
    this.#status = { ...this.#status, sent: this.#status.sent + 1 };
    connection.tell(said).then(
      (sharedMs) => {
        if (this.#connection !== connection) return;
        this.#unanswered--;
        if (this.#isHeld) this.wake(0);
        this.#gap = clockGap(this.#gap, { sharedMs, sentMs, receivedMs: ports.now() });
        health.exchange.setClock(this.#gap.offsetMs);
      },
      (fault) => this.#lose(connection, fault),
    );
  }

  #hear(text: string): void {
    const { exchange } = this.#options.health;
    this.#status = { ...this.#status, received: this.#status.received + 1 };
    try {
      const message = exchange.read(text);
      if (message !== undefined) exchange.hear(message);
    } catch (fault) {
      // Nothing that others write may take this process down.
      this.#options.ports.reportFault(fault, "shared health");
    }
  }

  #lose(connection: Connection, reason: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    connection.close();
    clearTimeout(this.#alarm);
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    this.#options.health.exchange.leave();
    this.#noteAway(reason);
  }

  #noteAway(fault: unknown): void {
    if (this.#isClosed) return;
    const { ports, place, say } = this.#options;
    const reason = sayReason(fault);
    const { state, outages } = this.#status;
    if (state !== "away") {
      this.#status = { ...this.#status, state: "away", since: ports.wallNow(), reason, outages: outages + 1 };
      say(`Redis at ${place.shown} is away (${reason}). Health is not shared until it is back.`);
    } else {
      this.#status = { ...this.#status, reason };
    }
    const pauseMs = this.#pauseMs * (0.5 + ports.random() / 2);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    this.#comingBack = setTimeout(() => void this.#open(), pauseMs);
    this.#comingBack.unref();
  }

  #noteBack(): void {
    const { ports, place, say } = this.#options;
    const { state, since, reason: _reason, ...rest } = this.#status;
    if (state === "away") {
      const seconds = Math.max(1, Math.round((ports.wallNow() - since) / 1000));
      say(`Redis at ${place.shown} is back after ${seconds} s. Health is shared again.`);
    }
    this.#status = { ...rest, state: "connected", since: ports.wallNow() };
  }
}

const MOST_SHOWN = 200;

/** In one line. What Redis and the sockets say never contains the password, but may be long. */
function sayReason(fault: unknown): string {
  const text = fault instanceof Error ? fault.message || fault.name : String(fault);
  const code = (fault as { readonly code?: unknown } | null)?.code;
  const said = text === "" && typeof code === "string" ? code : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text from outside goes to a terminal.
  return said.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ").slice(0, MOST_SHOWN);
}
