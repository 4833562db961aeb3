import type {
  AttemptContext,
  Failure,
  GenerationEvent,
  GenerationHandle,
  Ports,
  Result,
} from "../../../kernel/index.ts";
import { start } from "../../../library/run.ts";
import type { Page } from "../host/host.ts";
import { answerText } from "./answer-text.ts";
import { type Config, configFor } from "./fallback-chain.ts";
import type { Plan } from "./policy-for.ts";
import { createVigil } from "./vigil.ts";

interface CarriedParts {
  readonly id: string;
  readonly config: Config;
  /** The host's own function, with the caller's `this`. */
  call(config: Config): unknown;
  readonly page: Page;
  readonly plan: Plan;
  readonly ports: Ports;
  /** Stops the attempt in the host. */
  stop(): void;
  /** The attempt has settled: nothing is left to stop. */
  settled(): void;
  hear(event: GenerationEvent, carried: Carried): void;
  ended(): void;
}

/** Why no further attempt is wanted. */
export type Wish = "stopped-by-id" | "stop-button" | "given-up" | "disabled" | "caller-gone";

/** Decides what the caller gets if the script is unloaded now. */
type Stage =
  | { readonly type: "calling" }
  | { readonly type: "attempting"; readonly call: unknown; isCancelled: boolean; textLength: number }
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "between" };

/** How long to wait for a stopped attempt: the host needs a moment to clean up. */
const CANCEL_GRACE_MS = 5000;

/** One generation of a caller, from its first attempt to its end. Connects the engine, which decides, to the host. */
export class Carried {
  readonly id: string;
  /** The host's Stop button does not apply to silent generations. */
  readonly isSilent: boolean;
  /** What the caller gets. Of the page's realm: after an unload a promise of our own realm would never settle. */
  readonly promise: Promise<unknown>;
  handle: GenerationHandle | undefined = undefined;
  private readonly parts: CarriedParts;
  private readonly vigil = createVigil();
  private resolve: (value: unknown) => void = () => undefined;
  private reject: (problem: unknown) => void = () => undefined;
  private stage: Stage = { type: "between" };
  private context: AttemptContext | undefined = undefined;
  private wish: Wish | undefined = undefined;
  private lastFailure: Failure | undefined = undefined;
  private lastAnswer: { readonly value: unknown } | undefined = undefined;
  private isOver = false;

  constructor(parts: CarriedParts) {
    this.id = parts.id;
    this.parts = parts;
    this.isSilent = parts.config.should_silence === true;
    this.promise = new parts.page.Promise<unknown>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Makes the first attempt. Throws only if the host has not been called yet. */
  start(): void {
    const { plan, ports } = this.parts;
    const { watch, unwatch } = this.vigil;
    const generation = start((context) => this.attempt(context), {
      id: this.id,
      policy: plan.policy,
      targets: plan.chain.targets,
      cancelGraceMs: CANCEL_GRACE_MS,
      ports: { ...ports, watch, unwatch },
      textOf: answerText,
      on: (event, handle) => this.hear(event, handle),
    });
    this.handle = generation;
    generation.result.then((result) => this.settle(result));
  }

  get isWaiting(): boolean {
    return this.handle?.isWaiting ?? false;
  }

  /**
   * Whether the host should answer another call with this id: our attempt runs there and is not being stopped, or the call is our
   * own one, passing through a second wrapper.
   */
  get isWithHost(): boolean {
    const { stage } = this;
    return stage.type === "calling" || (stage.type === "attempting" && !stage.isCancelled);
  }

  /** The whole text so far of the attempt in the host. Reasoning and empty tokens don't make it longer, and don't count. */
  heardText(text: unknown): void {
    const { stage } = this;
    if (stage.type !== "attempting" || stage.isCancelled) return;
    if (typeof text !== "string" || text.length <= stage.textLength) return;
    stage.textLength = text.length;
    this.context?.progress();
  }

  /**
   * Prevents further attempts. The host ends a running one, so that the caller gets the host's own error; only if the user gives up
   * do we stop it, because the host would not.
   */
  end(wish: Wish): void {
    if (this.isOver) return;
    this.wish ??= wish;
    if (wish === "given-up" || this.isWaiting) this.handle?.giveUp();
  }

  /** The script unloads, and with it our timers and promises: settles the caller's promise now, or joins it to the host's. */
  abandon(): void {
    if (this.isOver) return;
    this.isOver = true;
    const { stage } = this;
    if (stage.type === "answered") this.resolve(stage.value);
    else if (stage.type === "attempting" && !stage.isCancelled) this.resolve(stage.call);
    else this.reject(this.problem());
    // A running attempt continues in the host, but no other follows.
    this.handle?.giveUp();
    this.parts.ended();
  }

  private attempt(context: AttemptContext): unknown {
    const { config, plan, settled } = this.parts;
    this.context = context;
    this.stage = { type: "calling" };
    const call = this.parts.call(configFor(config, this.id, plan.chain.modelFor(context.target)));
    const stage: Stage = { type: "attempting", call, isCancelled: false, textLength: 0 };
    this.stage = stage;
    context.signal.addEventListener("abort", () => {
      if (this.isOver) return;
      stage.isCancelled = true;
      this.parts.stop();
    });
    return Promise.resolve(call)
      .finally(settled)
      .then((value) => {
        if (this.stage === stage && !stage.isCancelled) this.stage = { type: "answered", value };
        return value;
      });
  }

  private hear(event: GenerationEvent, handle: GenerationHandle): void {
    this.handle = handle;
    if (this.isOver) return;
    if (event.type === "attempt-end") {
      if (this.stage.type === "answered") this.lastAnswer = this.stage;
      this.stage = { type: "between" };
      this.lastFailure = event.failure;
    }
    this.parts.hear(event, this);
    // No further attempt is wanted, so there is nothing to wait for.
    if (event.type === "attempt-end" && !event.ok && this.wish !== undefined) handle.giveUp();
  }

  private settle(result: Result<unknown>): void {
    if (this.isOver) return;
    this.isOver = true;
    if (result.ok) this.resolve(result.value);
    else {
      this.lastFailure = result.failure;
      // Switched off while the answer was on its way: required content no longer applies.
      const isAccepted = this.wish === "disabled" && result.failure.kind === "invalid_content";
      if (isAccepted && this.lastAnswer !== undefined) this.resolve(this.lastAnswer.value);
      else this.reject(this.problem());
    }
    this.parts.ended();
  }

  /** The error for the caller: the host's own last error, or a stop in the host's words. */
  private problem(): unknown {
    const { page } = this.parts;
    const failure = this.lastFailure;
    if (failure?.kind === "aborted" && failure.cause !== undefined) return failure.cause;
    if (this.wish === "stop-button") return new page.Error("点击停止按钮");
    if (this.wish === "stopped-by-id") return new page.Error(`生成 ID '${this.id}' 已停止`);
    if (failure === undefined) return new page.Error("The generation was given up");
    const isOurs = failure.cause === undefined || failure.evidence.startsWith("watchdog:");
    return isOurs ? new page.Error(failure.message) : failure.cause;
  }
}
