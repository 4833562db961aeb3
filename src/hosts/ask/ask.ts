import type { TargetEntry } from "../../kernel/index.ts";
import { openProviders, type Providers } from "../../providers/open-providers.ts";
import type { Provider } from "../../providers/provider.ts";
import { openTerminal } from "../../terminal/index.ts";
import { checkSelector } from "../../wire/selector.ts";
import { askPolicy } from "./ask-policy.ts";
import { AskScreen } from "./ask-screen.ts";
import { carryAsk } from "./carry-ask.ts";
import { parseMaxWait } from "./parse-max-wait.ts";
import { isPiped, readQuestion } from "./read-question.ts";
import { WaitLine } from "./wait-line.ts";

/** The options of `secondwind ask`, as commander gives them. */
interface AskOptions {
  readonly model?: string;
  readonly policy?: string;
  readonly maxWait?: string;
  readonly json?: boolean;
}

const FAILED = 1;
const CANCELLED = 130;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `secondwind ask`. Returns the exit code. */
export async function ask(words: readonly string[], options: AskOptions): Promise<number> {
  const { stdout, stderr, env } = process;
  const policy = askPolicy(options.policy ?? "default");
  const maxWaitMs = parseMaxWait(options.maxWait);
  const err = openTerminal(stderr, env);
  const opened = await openProviders({ env });
  const { provider, target } = choose(opened, options.model ?? opened.defaultModel);
  const isJson = options.json === true;
  const screen = new AskScreen({ out: openTerminal(stdout, env), err, redact: opened.vault.redact, isJson });
  let isCancelled = false;
  // `process.stdin` is opened when it is first named: later, or never.
  let giveUp = (): void => void process.stdin.destroy();
  const cancel = (): void => {
    isCancelled = true;
    giveUp();
  };
  for (const signal of SIGNALS) process.on(signal, cancel);
  const waits = new WaitLine(err);
  let retryNow = (): void => undefined;
  const press = (): void => retryNow();
  try {
    const input = isPiped(0) ? process.stdin.setEncoding("utf8") : undefined;
    const question = await readQuestion(words, input, (line) => screen.note(line));
    const asking = carryAsk({
      ...{ question, provider, target, policy, maxWaitMs, isBuffered: isJson },
      onText: (text) => screen.text(text),
      onWait: (wait, generation) => {
        waits.start(wait);
        retryNow = () => void generation.retryNow();
        if (process.stdin.isTTY) process.stdin.on("data", press).resume();
      },
      onWaitEnd: () => {
        waits.stop();
        if (process.stdin.isTTY) process.stdin.off("data", press).pause();
      },
    });
    giveUp = asking.giveUp;
    const asked = await asking.ended;
    screen.end(asked, isCancelled);
    if (asked.receipt.complete) return 0;
    return isCancelled ? CANCELLED : FAILED;
  } catch (fault) {
    if (isCancelled) return CANCELLED;
    throw opened.vault.redact(fault);
  } finally {
    for (const signal of SIGNALS) process.off(signal, cancel);
  }
}

function choose(
  { providers, credentialsOf }: Providers,
  selector: string,
): { readonly provider: Provider; readonly target: TargetEntry } {
  const chosen = checkSelector("--model", selector, providers);
  const credentials = credentialsOf(chosen.provider);
  // Called without one, the provider's error names the missing key.
  const target = { ...chosen, credentials: credentials.length === 0 ? [""] : credentials };
  return { provider: providers.get(chosen.provider) as Provider, target };
}
