import { type Assembly, assemble } from "../../../src/assembly/index.ts";
import { rpc } from "../../../src/hosts/rpc/rpc.ts";
import type { Provider, ProviderEvent } from "../../../src/providers/provider.ts";
import { memoryStore } from "../../../src/store/index.ts";

/** The real host with a provider that the prompt controls: "busy 2", "down", "long", "hang", anything else. */
const asked = new Map<string, number>();

const sim: Provider = {
  name: "sim",
  async *stream({ messages }, signal): AsyncGenerator<ProviderEvent> {
    const last = messages.at(-1);
    const text = last?.role === "user" ? last.content : "";
    const count = (asked.get(text) ?? 0) + 1;
    asked.set(text, count);
    const busy = text === "down" ? Number.POSITIVE_INFINITY : Number(/^busy (\d+)/.exec(text)?.[1] ?? 0);
    if (count <= busy) {
      yield { type: "error", status: 503, message: `HTTP 503: busy (${count})`, retryable: true };
      return;
    }
    yield { type: "text", text: `You said: ${text}` };
    if (text === "hang")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    if (text === "long")
      for (let i = 0; i < 50_000; i++) yield { type: "text", text: `${i} bottles of beer on the wall. ` };
    yield { type: "finish", reason: "end" };
  },
};

const open = async (): Promise<Assembly> => {
  const store = memoryStore();
  await store.config.set("retry.baseDelayMs", Number(process.env.BASE_DELAY_MS ?? 20));
  const providers = new Map([["sim", { provider: sim, credentials: ["key-1"] }]]);
  return assemble({ providers, defaultModel: "sim/one", store, redact: (value) => value });
};

const at = process.argv.indexOf("--model");
const model = process.argv[at + 1];
process.exitCode = await rpc(at < 0 || model === undefined ? {} : { model }, open);
