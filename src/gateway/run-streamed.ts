import { asksForEvents, followsTools, type Piece } from "../formats/index.ts";
import { StreamGeneration, type StreamSetup } from "../kernel/index.ts";
import { KeepAlive } from "./answer/keep-alive.ts";
import { receiptLines, receiptPairs } from "./answer/receipt-pairs.ts";
import { retyped } from "./answer/retyped.ts";
import { StreamWriter } from "./answer/stream-writer.ts";
import { attempt } from "./attempt.ts";
import type { Exchange } from "./exchange.ts";
import { piecesOf } from "./pieces-of.ts";
import { sendFinal } from "./send-final.ts";
import { linesOf } from "./upstream/header-lines.ts";
import type { Head } from "./upstream/read-head.ts";

const TRAILERS = "x-secondwind-outcome, x-secondwind-attempts, x-secondwind-calls, x-secondwind-waited-ms";

const AT_ONCE =
  "x-secondwind-outcome: succeeded\r\nx-secondwind-attempts: 1\r\nx-secondwind-calls: 1\r\nx-secondwind-waited-ms: 0\r\n";

/** A streamed generation: held until its first content, then relayed with backpressure, and judged to its end. */
export function runStreamed(exchange: Exchange, setup: StreamSetup<Piece>, onContent: (() => void) | undefined): void {
  const relay = new Relay(exchange, setup, onContent);
  exchange.follow(relay.generation);
  relay.start();
}

/** Carries the pieces of one generation to the client. */
class Relay {
  readonly generation: StreamGeneration<Piece>;
  private readonly exchange: Exchange;
  private readonly onContent: (() => void) | undefined;
  private readonly keepAlive: KeepAlive | undefined;
  /** The head of the answer that the pieces are from. */
  private head: Head | undefined = undefined;
  private writer: StreamWriter | undefined = undefined;
  private isPulling = false;
  private wantsMore = false;

  constructor(exchange: Exchange, setup: StreamSetup<Piece>, onContent: (() => void) | undefined) {
    const { response, wishes, scan, query, route } = exchange;
    const wantsEvents = route.call !== undefined && asksForEvents(route.call, scan, query);
    this.exchange = exchange;
    this.onContent = onContent;
    const keepsEvents = setup.policy.policy.require !== null;
    const { ports } = exchange.gateway;
    const mayBeSilent = () => followsTools(exchange.body.toString());
    this.generation = new StreamGeneration<Piece>(
      setup,
      (context) =>
        attempt(exchange, context, (answer) => {
          this.head = answer.head;
          const onStreamed = (): void => {
            this.head = retyped(answer.head, "text/event-stream");
          };
          return piecesOf(answer, { ports, keepsEvents, wantsEvents, mayBeSilent, onStreamed });
        }),
      undefined,
      wishes.id,
    );
    this.keepAlive = wishes.keepAliveMs === undefined ? undefined : new KeepAlive(response, wishes.keepAliveMs);
  }

  start(): void {
    this.pull();
  }

  /** A loop, not a recursion: many pieces may be ready. */
  private pull(): void {
    this.wantsMore = true;
    if (this.isPulling) return;
    this.isPulling = true;
    while (this.wantsMore) {
      this.wantsMore = false;
      this.generation.read(this.take);
    }
    this.isPulling = false;
  }

  private readonly take = (result: IteratorResult<Piece, undefined> | PromiseLike<never>): void => {
    try {
      this.pass(result);
    } catch (fault) {
      this.exchange.fail(fault);
    }
  };

  private pass(result: IteratorResult<Piece, undefined> | PromiseLike<never>): void {
    if ("then" in result) return this.fail(result);
    if (result.done === true) return this.finish();
    const writer = this.writer ?? this.begin();
    if (writer.write(result.value.bytes)) this.pull();
    else void writer.drained().then(() => this.pull());
  }

  private begin(): StreamWriter {
    const { exchange, generation, head } = this;
    const { response } = exchange;
    this.keepAlive?.stop();
    this.onContent?.();
    exchange.forgetGivenUp();
    if (response.headersSent || head === undefined) this.writer = StreamWriter.resume(response);
    else {
      this.writer = StreamWriter.begin(response, head, receiptLines(generation), TRAILERS);
    }
    exchange.writer = this.writer;
    return this.writer;
  }

  private finish(): void {
    this.keepAlive?.stop();
    // Nothing but a whole answer ends well, and that has content.
    if (this.writer === undefined) sendFinal(this.exchange, this.generation);
    else this.writer.end(trailersOf(this.generation));
  }

  private fail(rejection: PromiseLike<never>): void {
    this.keepAlive?.stop();
    // What it is rejected with says no more than the generation does.
    rejection.then(undefined, () => this.exchange.guard(() => sendFinal(this.exchange, this.generation)));
  }
}

/** As lines. */
function trailersOf(generation: StreamGeneration<Piece>): string {
  // It went well at once.
  if (generation.trail === undefined) return AT_ONCE;
  const pairs = receiptPairs(generation.receipt);
  return linesOf(pairs.filter((_, at) => TRAILERS.includes(pairs[at - (at % 2)] as string)));
}
