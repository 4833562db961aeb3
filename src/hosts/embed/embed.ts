import { once } from "node:events";
import { createReadStream } from "node:fs";
import { InvalidInput, MemoryHealth } from "../../kernel/index.ts";
import { openProviders, type Providers } from "../../providers/open-providers.ts";
import type { Provider } from "../../providers/provider.ts";
import { systemPorts } from "../../system/index.ts";
import { cleanText, onInterrupt, openTerminal, sayFailure, sayMessage } from "../../terminal/index.ts";
import { parseNumber } from "../../terminal/parse-number.ts";
import { checkSelector } from "../../wire/selector.ts";
import { type Embedded, embedLines } from "./embed-lines.ts";
import { EmbedProgress } from "./embed-progress.ts";
import { readDone } from "./read-done.ts";

/** The options of `secondwind embed`, as commander gives them. */
interface EmbedOptions {
  readonly model?: string;
  readonly batch: string;
  readonly concurrency: string;
  readonly resume?: string;
}

const FAILED = 1;
const CANCELLED = 130;

/** `secondwind embed`. Returns the exit code. */
export async function embed(file: string | undefined, options: EmbedOptions): Promise<number> {
  const { stdout, stderr, env } = process;
  const batch = parseNumber("--batch", options.batch, { min: 1, max: 100, integer: true });
  const concurrency = parseNumber("--concurrency", options.concurrency, { min: 1, max: 32, integer: true });
  const opened = await openProviders({ env });
  const { redact } = opened.vault;
  const chosen = choose(opened, options.model ?? defaultModel(opened));
  const { ids, isTorn } = await readDone(options.resume);
  const input = await openInput(file);
  const controller = new AbortController();
  let isCancelled = false;
  const offInterrupt = onInterrupt(() => {
    isCancelled = true;
    controller.abort(new DOMException("Cancelled", "AbortError"));
    input.destroy();
  });
  // One for all batches: each would add a listener, and Node warns of a leak.
  let drained: Promise<unknown> | undefined;
  const write = async (text: string): Promise<void> => {
    if (stdout.write(text)) return;
    drained ??= once(stdout, "drain").finally(() => {
      drained = undefined;
    });
    await drained;
  };
  const err = openTerminal(stderr, env);
  if (process.stdin.isTTY && file === undefined) err.write("Reading JSON Lines from the terminal. Ctrl-D ends.\n");
  const { reportFault } = systemPorts();
  const ports = systemPorts({ reportFault: (fault, where) => reportFault(redact(fault), where) });
  const progress = new EmbedProgress(err);
  let embedded: Embedded;
  try {
    if (isTorn) await write("\n");
    embedded = await embedLines({
      ...chosen,
      ...{ batch, concurrency, done: ids, ports, signal: controller.signal, health: new MemoryHealth() },
      chunks: input,
      write: (text) => write(redact(text)),
      onWait: (wait) => progress.wait(wait),
      onCount: (counts) => progress.count(counts),
      onStop: () => void input.destroy(),
    });
  } catch (fault) {
    throw redact(fault);
  } finally {
    offInterrupt();
    progress.stop();
    controller.abort();
    input.destroy();
  }
  const { stopped, failed } = embedded;
  const reason = stopped === undefined ? "" : `${sayFailure(stopped)}: ${sayMessage(redact(stopped.message))}`;
  progress.end(embedded, isCancelled, cleanText(reason));
  if (isCancelled) return CANCELLED;
  return stopped !== undefined || failed > 0 ? FAILED : 0;
}

/** Of the first provider that has a key and known embedding models, else a simulated one. */
function defaultModel({ endpoints, credentialsOf }: Providers): string {
  const [first] = endpoints.filter(({ name, embeddings }) => embeddings.length > 0 && credentialsOf(name).length > 0);
  return `${first?.name}/${first?.embeddings[0]}`;
}

interface Chosen {
  readonly provider: Provider;
  readonly model: string;
  readonly credentials: readonly string[];
}

function choose({ providers, credentialsOf }: Providers, selector: string): Chosen {
  const { provider: name, model } = checkSelector("--model", selector, providers);
  const provider = providers.get(name) as Provider;
  if (provider.embed === undefined) {
    const able = [...providers.values()].filter((one) => one.embed !== undefined).map((one) => one.name);
    throw new InvalidInput("--model", selector, `of a provider that has embeddings (${able.join(", ")})`);
  }
  const credentials = credentialsOf(name);
  // Called without one, the provider's error names the missing key.
  return { provider, model, credentials: credentials.length === 0 ? [""] : credentials };
}

async function openInput(file: string | undefined): Promise<NodeJS.ReadStream | ReturnType<typeof createReadStream>> {
  if (file === undefined) return process.stdin.setEncoding("utf8");
  const stream = createReadStream(file, "utf8");
  try {
    await once(stream, "open");
  } catch (fault) {
    throw new InvalidInput("FILE", file, `a file that can be read (${(fault as NodeJS.ErrnoException).code})`);
  }
  return stream;
}
