import { type GenerationEvent, type GenerationStream, stream } from "../../index.ts";
import { openTerminal, type Terminal } from "../../terminal/index.ts";
import { DEMO_TARGETS, demoPolicy } from "./demo-policy.ts";
import { type KeyInput, readKeys } from "./read-keys.ts";
import { receiptLines } from "./receipt-lines.ts";
import { Screen } from "./screen.ts";
import { scriptOf } from "./script.ts";
import { type Item, inspectItem, scriptedEndpoint } from "./scripted-endpoint.ts";
import { tellEvent } from "./tell-event.ts";

export interface DemoOptions {
  /** Everything ten times as fast. */
  readonly fast?: boolean;
  /** The outage wins. */
  readonly fail?: boolean;
}

export interface Stage {
  readonly terminal: Terminal;
  readonly keys: KeyInput;
  /** Told how to end it from outside; answers how to stop listening. */
  readonly onInterrupt: (interrupt: () => void) => () => void;
}

const FAST = 10;
const ENDED_BY_HAND = 130;

/** `secondwind demo` on the real terminal: answers its exit code. */
export function demo(options: DemoOptions): Promise<number> {
  return play(options, {
    terminal: openTerminal(process.stdout, process.env),
    keys: process.stdin,
    onInterrupt(interrupt) {
      const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
      for (const signal of signals) process.on(signal, interrupt);
      return () => {
        for (const signal of signals) process.off(signal, interrupt);
      };
    },
  });
}

/** Carries one generation through the scripted outage, with the real engine and real waits. */
export async function play({ fast = false, fail = false }: DemoOptions, stage: Stage): Promise<number> {
  const speed = fast ? FAST : 1;
  const screen = new Screen(stage.terminal);
  const generation: GenerationStream<Item> = stream(
    scriptedEndpoint({ scenes: scriptOf(fail ? "outage" : "answer"), speed }),
    {
      targets: DEMO_TARGETS,
      policy: demoPolicy(speed),
      inspect: inspectItem,
      sink: { retractable: () => ({ type: "retracted" }) },
      on: (event) => show(event, screen, stage.keys.isTTY === true ? "Enter: now" : ""),
    },
  );
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
  // Whatever ends the process, the terminal is left as it was.
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
  screen.heading("One answer, carried through an outage");
  screen.paragraph(
    "The engine is real, the endpoints are scripted: two models, three keys, no network. On the way: a rate limit, a cut " +
      "connection, a used-up key, an overloaded model, a stalled stream.",
  );
  screen.gap();
  screen.paragraph(keys.isTTY === true ? "Enter: retry now · q: give up" : "Ctrl-C gives up.");
  screen.gap();
}

function show(event: GenerationEvent, screen: Screen, offer: string): void {
  const telling = tellEvent(event);
  if (telling !== undefined) screen.tell(telling);
  if (event.type === "wait-start" && event.delayMs > 0) screen.startCountdown(event.delayMs, offer);
  if (event.type === "wait-end") screen.stopCountdown();
}

/** Words appear as they come. A failure is not thrown further: the receipt tells it. */
async function readAnswer(generation: GenerationStream<Item>, screen: Screen): Promise<void> {
  try {
    for await (const item of generation) if (item.type === "word") screen.word(item.text);
  } catch (fault) {
    if (generation.receipt.complete) throw fault;
  }
}

function conclude(screen: Screen, { receipt }: GenerationStream<Item>): void {
  if (receipt.complete) screen.tell({ mark: "✓", text: "Done. The answer above is whole.", mood: "good" });
  else screen.tell({ mark: "■", text: "No answer, and no pretence of one.", mood: "bad" });
  screen.gap();
  screen.heading("Receipt");
  for (const { label, text } of receiptLines(receipt)) screen.labelled(label, text);
  screen.gap();
}
