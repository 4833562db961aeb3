import { type GenerationEvent, type GenerationStream, stream } from "../../index.ts";
import { onInterrupt, openTerminal, type Terminal } from "../../terminal/index.ts";
import { DEMO_TARGETS, demoPolicy } from "./demo-policy.ts";
import { describeEvent } from "./describe-event.ts";
import { type KeyInput, readKeys } from "./read-keys.ts";
import { receiptLines } from "./receipt-lines.ts";
import { Screen } from "./screen.ts";
import { type Item, inspectItem, scriptedEndpoint } from "./scripted-endpoint.ts";

interface DemoOptions {
  /** Ten times faster. */
  readonly fast?: boolean;
  /** The outage does not end. */
  readonly fail?: boolean;
}

export interface Stage {
  readonly terminal: Terminal;
  readonly keys: KeyInput;
  /** Calls the listener on an interrupt. Returns a function that stops listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

const FAST = 10;
const ENDED_BY_HAND = 130;

/** `secondwind demo` on the real terminal: returns the exit code. */
export function demo(options: DemoOptions): Promise<number> {
  return play(options, { terminal: openTerminal(process.stdout, process.env), keys: process.stdin, onInterrupt });
}

/** Runs one generation through the scripted outage, with the real engine and real waits. */
export async function play({ fast = false, fail = false }: DemoOptions, stage: Stage): Promise<number> {
  const speed = fast ? FAST : 1;
  const screen = new Screen(stage.terminal);
  const generation: GenerationStream<Item> = stream(scriptedEndpoint(fail ? "outage" : "answer", speed), {
    targets: DEMO_TARGETS,
    policy: demoPolicy(speed),
    inspect: inspectItem,
    sink: { retractable: () => ({ type: "retracted" }) },
    on: (event) => show(event, screen, stage.keys.isTTY === true ? "Enter: now" : ""),
  });
  const stopKeys = readKeys(stage.keys, (key) => {
    if (key === "retry-now") generation.retryNow();
    else generation.giveUp();
  });
  const stopSignals = stage.onInterrupt(() => generation.giveUp());
  const restore = (): void => {
    stopKeys();
    stopSignals();
    screen.close();
    process.off("exit", restore);
  };
  // Restores the terminal however the process ends.
  process.on("exit", restore);
  try {
    introduce(screen, stage);
    await readAnswer(generation, screen);
    conclude(screen, generation);
  } finally {
    restore();
  }
  const { complete, outcome } = generation.receipt;
  if (complete) return 0;
  return outcome === "gave-up" || outcome === "aborted" ? ENDED_BY_HAND : 1;
}

function introduce(screen: Screen, { keys }: Stage): void {
  screen.gap();
  screen.heading("One answer through an outage");
  screen.paragraph(
    "The engine is real, the endpoints are scripted: two models, three keys, no network. You will see a rate limit, a cut " +
      "connection, a key without quota, an overloaded model and a stalled stream.",
  );
  screen.gap();
  screen.paragraph(keys.isTTY === true ? "Enter: retry now · q: give up" : "Ctrl-C: give up");
  screen.gap();
}

function show(event: GenerationEvent, screen: Screen, offer: string): void {
  const line = describeEvent(event);
  if (line !== undefined) screen.show(line);
  if (event.type === "wait-start" && event.delayMs > 0) screen.startCountdown(event.delayMs, offer);
  if (event.type === "wait-end") screen.stopCountdown();
}

/** Shows words as they come. Does not rethrow a failure: the receipt shows it. */
async function readAnswer(generation: GenerationStream<Item>, screen: Screen): Promise<void> {
  try {
    for await (const item of generation) if (item.type === "word") screen.word(item.text);
  } catch (fault) {
    if (generation.receipt.complete) throw fault;
  }
}

function conclude(screen: Screen, { receipt }: GenerationStream<Item>): void {
  if (receipt.complete) screen.show({ mark: "✓", text: "Done. The answer above is complete.", mood: "good" });
  else screen.show({ mark: "■", text: "No answer. The receipt shows why.", mood: "bad" });
  screen.gap();
  screen.heading("Receipt");
  for (const { label, text } of receiptLines(receipt)) screen.labelled(label, text);
  screen.gap();
}
