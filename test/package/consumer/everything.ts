import {
  type Failure,
  type GenerationEvent,
  InvalidInput,
  type Policy,
  type Receipt,
  receiptOf,
  resilient,
  run,
  SecondwindError,
  stream,
} from "secondwind";
import { type Job, type JobRunner, type Jobs, JobsError, openJobs } from "secondwind/jobs";
import { classify, decide, FAILURE_KINDS, type Ports } from "secondwind/kernel";
import { patientPolicy, sessionPolicy } from "secondwind/presets";
import { openModelCall, openProviders, type Providers } from "secondwind/providers";
import { type Message, RpcClient, type RpcCommand, type RpcState } from "secondwind/rpc";
import {
  AgentSession,
  type AutoRetryStart,
  type ConversationStore,
  createTools,
  type SessionEvent,
  type SessionParts,
} from "secondwind/session";
import { type Simulator, simulateInProcess, startSimulator } from "secondwind/simulator";
import { memoryStore, openStore, type Store } from "secondwind/store";
import {
  ok,
  type Script,
  type ScriptStep,
  type SimulatedProviders,
  simulateProviders,
  type VirtualTime,
  virtualTime,
} from "secondwind/testing";
import {
  type AgentEvent,
  type Provider,
  type ProviderEvent,
  patientStrategy,
  type RetryStrategy,
  type RunTurnInput,
  runTurn,
  type TurnDoneEvent,
  type TurnErrorEvent,
  type TurnProviderRetryEvent,
  type TurnSealedEvent,
} from "secondwind/turn";

/** Compiled by a project that has only this package: types that came out as `any` or `never` would be errors here. */
type IsAny<T> = 0 extends 1 & T ? true : false;
type No<T extends false> = T;
export type NothingIsAny = [
  No<IsAny<AgentEvent>>,
  No<IsAny<Failure>>,
  No<IsAny<Message>>,
  No<IsAny<Policy>>,
  No<IsAny<Ports>>,
  No<IsAny<ConversationStore>>,
  No<IsAny<Provider>>,
  No<IsAny<ProviderEvent>>,
  No<IsAny<Providers>>,
  No<IsAny<RetryStrategy>>,
  No<IsAny<Simulator>>,
  No<IsAny<Script>>,
  No<IsAny<ScriptStep>>,
  No<IsAny<SimulatedProviders>>,
  No<IsAny<VirtualTime>>,
  No<IsAny<Store>>,
  No<IsAny<RpcCommand>>,
  No<IsAny<SessionEvent>>,
  No<IsAny<SessionParts>>,
];

export const call: (question: string) => Promise<string> = resilient(
  async (_context, question: string) => question.toUpperCase(),
  patientPolicy(),
);

export async function once(signal: AbortSignal): Promise<Receipt | undefined> {
  try {
    await run(async ({ signal }) => (signal.aborted ? "" : "answer"), { signal, policy: sessionPolicy() });
  } catch (error) {
    if (error instanceof SecondwindError) return receiptOf(error);
    if (error instanceof InvalidInput) throw error;
  }
  return undefined;
}

export async function pieces(source: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const piece of stream(() => source)) found.push(piece);
  return found;
}

export function retryOf(event: AgentEvent): string {
  const named: TurnProviderRetryEvent | TurnErrorEvent | TurnDoneEvent | TurnSealedEvent | undefined =
    event.type === "provider-retry" || event.type === "error" || event.type === "done" || event.type === "turn-sealed"
      ? event
      : undefined;
  if (named?.type === "provider-retry") return `${named.attempt} ${named.delayMs} ${named.code?.length ?? 0}`;
  return named?.type === "turn-sealed" ? named.status : "";
}

export function textOf(message: Message): string {
  if (message.role !== "assistant") return message.content;
  return message.parts.map((part) => (part.type === "tool-call" ? part.name : part.text)).join("");
}

export async function talk(parts: SessionParts, input: Omit<RunTurnInput, "retry">): Promise<RpcState> {
  const session = await AgentSession.open({ ...parts, tools: createTools(".") });
  session.subscribe((event: SessionEvent) => {
    const start: AutoRetryStart | undefined = event.type === "auto_retry_start" ? event : undefined;
    return start?.delayMs;
  });
  await runTurn({ ...input, retry: patientStrategy() });
  return (await RpcClient.start({ model: "openai/gpt" })).getState();
}

export function explain(problem: unknown, events: readonly GenerationEvent[]): string {
  const { kind }: Failure = classify(problem);
  return FAILURE_KINDS.includes(kind) ? `${kind} ${events.length} ${typeof decide}` : "";
}

export async function rehearse(): Promise<number> {
  const providers: SimulatedProviders = await simulateProviders({ script: { openai: ["overloaded@2", ok("Hello")] } });
  const time: VirtualTime = virtualTime({ manual: true });
  const result = await time.until(run(() => providers.requests.length, { ports: time.ports }));
  await providers[Symbol.asyncDispose]();
  return result.ok ? result.value + time.elapsedMs : 0;
}

export async function open(): Promise<number> {
  const { providers }: Providers = await openProviders({ env: {} });
  const store: Store = await openStore({ path: ":memory:" });
  const sim: Simulator = await startSimulator({ timeScale: 0 });
  const { requests } = simulateInProcess({ seed: 2 });
  await Promise.all([store.close(), memoryStore().close(), sim.close()]);
  return providers.size + requests.length + sim.port + openModelCall.length;
}

export async function finishLater(runner: JobRunner): Promise<string> {
  const jobs: Jobs = await openJobs({ path: "jobs.db" });
  const worker = jobs.work(runner, { concurrency: 2 });
  try {
    const id = await jobs.submit(
      { model: "openai/gpt", messages: [{ role: "user", content: "Hello" }] },
      { key: "one" },
    );
    let last: Job | undefined;
    for await (const job of jobs.watch(id)) last = job;
    return (await jobs.result(id))?.text ?? last?.failure?.message ?? "";
  } catch (error) {
    return error instanceof JobsError ? error.code : "";
  } finally {
    await worker.close({ drainMs: 1000 });
    await jobs.close();
  }
}
