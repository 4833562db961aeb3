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
import { createVigil } from "./frame-clock.ts";
import type { Plan } from "./policy-for.ts";

/** One call of a helper function that is to be carried. */
export interface Request {
  readonly id: string;
  readonly config: Config;
  /** The host's own function, with the caller's `this`. */
  call(config: Config): unknown;
}

/** What a generation needs from around it. */
export interface Surroundings {
  readonly page: Page;
  readonly plan: Plan;
  readonly ports: Ports;
  /** Stops the attempt that runs in the host under this id. */
  stop(id: string): void;
  /** The attempt under this id has settled: nothing is left there to stop. */
  settled(id: string): void;
  hear(event: GenerationEvent, carried: Carried): void;
  ended(carried: Carried): void;
}

/** Why no further attempt is wanted. */
export type Wish = "stopped-by-id" | "stop-button" | "given-up" | "disabled";

/** Where it stands, and what the caller is to get if the script is unloaded just now. */
type Stage =
  | { readonly type: "attempting"; readonly call: unknown; isCancelled: boolean; hasContent: boolean }
  | { readonly type: "answered"; readonly value: unknown }
  | { readonly type: "between" };

/** After a stop the host needs a moment to clean up; a promise that takes longer is not waited for any more. */
const CANCEL_GRACE_MS = 5000;

/** One generation of a caller, from its first attempt to its end. The engine decides; this connects it to the host. */
export class Carried {
  readonly id: string;
  /** The host's Stop button does not mean silent generations. */
  readonly isSilent: boolean;
  /** What the caller gets. Of the page's realm: after an unload no promise of our own would ever settle. */
  readonly promise: Promise<unknown>;
  handle: GenerationHandle | undefined = undefined;
  private readonly request: Request;
  private readonly around: Surroundings;
  private readonly vigil = createVigil();
  private resolve: (value: unknown) => void = () => undefined;
  private reject: (problem: unknown) => void = () => undefined;
  private stage: Stage = { type: "between" };
  private context: AttemptContext | undefined = undefined;
  private wish: Wish | undefined = undefined;
  private lastFailure: Failure | undefined = undefined;
  private lastAnswer: { readonly value: unknown } | undefined = undefined;
  private isOver = false;

  constructor(request: Request, around: Surroundings) {
    this.id = request.id;
    this.request = request;
    this.around = around;
    this.isSilent = request.config.should_silence === true;
    this.promise = new around.page.Promise<unknown>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Makes the first attempt. Throws only if the host was not called yet. */
  start(): void {
    const { plan, ports } = this.around;
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

  /** Whether an attempt of ours runs in the host, so that a second call with this id is the host's to refuse. */
  get isAttempting(): boolean {
    return this.stage.type === "attempting";
  }

  /** A token event of the host for our id. Reasoning comes with no text: it shows life, but it is no content. */
  heardToken(text: unknown): void {
    const { stage } = this;
    if (stage.type !== "attempting" || stage.isCancelled) return;
    if (text !== "") stage.hasContent = true;
    if (stage.hasContent) this.context?.progress();
    else this.vigil.sustain();
  }

  /**
   * No further attempt. One that runs is left to the host to end, so that the caller gets the host's own word, except when
   * a person gives up: nobody else would stop it then.
   */
  end(wish: Wish): void {
    if (this.isOver) return;
    this.wish ??= wish;
    if (wish === "given-up" || this.isWaiting) this.handle?.giveUp();
  }

  /** The script is unloaded: no timer and no promise of ours will go on, so the caller is told now, or joined to the host. */
  abandon(): void {
    if (this.isOver) return;
    this.isOver = true;
    const { stage } = this;
    if (stage.type === "answered") this.resolve(stage.value);
    else if (stage.type === "attempting" && !stage.isCancelled) this.resolve(stage.call);
    else this.reject(this.problem());
    // Nobody hears of it any more; the attempt goes on in the host, but none follows it.
    this.handle?.giveUp();
  }

  private attempt(context: AttemptContext): unknown {
    const { chain } = this.around.plan;
    this.context = context;
    const config = configFor(this.request.config, this.id, chain.modelFor(context.target));
    const call = this.request.call(config);
    const stage: Stage = { type: "attempting", call, isCancelled: false, hasContent: false };
    this.stage = stage;
    context.signal.addEventListener("abort", () => {
      if (this.isOver) return;
      stage.isCancelled = true;
      this.around.stop(this.id);
    });
    return Promise.resolve(call).then(
      (value) => {
        this.around.settled(this.id);
        if (this.stage === stage && !stage.isCancelled) this.stage = { type: "answered", value };
        return value;
      },
      (problem) => {
        this.around.settled(this.id);
        throw problem;
      },
    );
  }

  private hear(event: GenerationEvent, handle: GenerationHandle): void {
    this.handle = handle;
    if (this.isOver) return;
    if (event.type === "attempt-end") {
      if (this.stage.type === "answered") this.lastAnswer = this.stage;
      this.stage = { type: "between" };
      this.lastFailure = event.failure;
    }
    this.around.hear(event, this);
    // Whoever does not want another attempt does not want to wait for one either.
    if (event.type === "attempt-end" && !event.ok && this.wish !== undefined) handle.giveUp();
  }

  private settle(result: Result<unknown>): void {
    if (this.isOver) return;
    this.isOver = true;
    if (result.ok) this.resolve(result.value);
    else {
      this.lastFailure = result.failure;
      // Switched off while an answer was on its way: it is judged no longer.
      const isJudgedInVain = this.wish === "disabled" && result.failure.kind === "invalid_content";
      if (isJudgedInVain && this.lastAnswer !== undefined) this.resolve(this.lastAnswer.value);
      else this.reject(this.problem());
    }
    this.around.ended(this);
  }

  /** What the caller gets to catch: the host's own last error, or a stop in the host's words. */
  private problem(): unknown {
    const { page } = this.around;
    const failure = this.lastFailure;
    if (failure?.kind === "aborted" && failure.cause !== undefined) return failure.cause;
    if (this.wish === "stop-button") return new page.Error("点击停止按钮");
    if (this.wish === "stopped-by-id") return new page.Error(`生成 ID '${this.id}' 已停止`);
    if (failure === undefined) return new page.Error("The generation was given up");
    const isOurs = failure.cause === undefined || failure.evidence.startsWith("watchdog:");
    return isOurs ? new page.Error(failure.message) : failure.cause;
  }
}
