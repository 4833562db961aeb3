import { type HostClock, settle } from "./clock.ts";
import type { HostEvents } from "./events.ts";
import type { HostCall, Step } from "./steps.ts";

interface Run {
  readonly abort: AbortController;
  readonly isBound: boolean;
}

type Config = Record<string, unknown>;

const never = new Promise<never>(() => undefined);

/** What the helper's generating functions need from the page. */
export interface HelperParts {
  readonly clock: HostClock;
  readonly events: HostEvents;
  nextStep(call: HostCall): Step;
  log(call: HostCall): void;
  showRedToast(text: string): void;
  showStop(isShown: boolean): void;
  openQuotaDialog(): void;
}

/** The generating functions of the helper, with their traps. */
export function createHelper({ clock, events, nextStep, log, showRedToast, showStop, openQuotaDialog }: HelperParts) {
  const runs = new Map<string, Run>();
  const bound = new Set<string>();

  async function begin(name: HostCall["name"], config: Config): Promise<unknown> {
    // The real host writes the id into the caller's object too.
    config.generation_id = config.generation_id || crypto.getRandomValues(new Uint32Array(2)).join("-");
    const id = String(config.generation_id);
    await events.emit("js_generation_requested", id, name, config);
    if (runs.has(id)) throw new Error(`ID为 '${id}' 的请求正在进行中，无法启动用同一 ID 的生成任务`);
    const call: HostCall = { atMs: clock.now(), name, id, config: { ...config } };
    log(call);
    return perform(call, nextStep(call));
  }

  async function perform({ id, config }: HostCall, step: Step): Promise<unknown> {
    const run: Run = { abort: new AbortController(), isBound: config.should_silence !== true };
    runs.set(id, run);
    if (run.isBound) {
      if (bound.size === 0) showStop(true);
      bound.add(id);
    }
    try {
      void events.emit("js_generation_started", id);
      const isDeaf = step.do === "hang" && step.isDeaf === true;
      const answer = await Promise.race([play(step, id, config), isDeaf ? never : whenStopped(run, config)]);
      if (step.do !== "stream") sayEnd(answer, id);
      return answer;
    } catch (problem) {
      if (!run.abort.signal.aborted) showRedToast(String((problem as Error)?.message ?? problem));
      throw problem;
    } finally {
      // The clean-up after a stop takes time, and then deletes whatever has this id: a trap.
      if (run.abort.signal.aborted) await settle(3);
      runs.delete(id);
      if (run.isBound) {
        bound.delete(id);
        if (bound.size === 0) showStop(false);
      }
    }
  }

  function whenStopped({ abort }: Run, config: Config): Promise<never> {
    return new Promise((_, reject) => {
      abort.signal.addEventListener("abort", () => {
        const reason = String(abort.signal.reason);
        reject(config.should_stream === true ? reason : new Error(`Generate method error: ${reason}`));
      });
    });
  }

  function later(afterMs: number): Promise<void> {
    return afterMs === 0 ? Promise.resolve() : new Promise((resolve) => clock.after(window, resolve, afterMs));
  }

  async function play(step: Step, id: string, config: Config): Promise<unknown> {
    switch (step.do) {
      case "answer":
        await later(step.afterMs ?? 0);
        return step.text ?? "a good answer";
      case "call-tool":
        return {
          content: "",
          tool_calls: [{ id: "1", type: "function", function: { name: "look", arguments: "{}" } }],
        };
      case "fail":
        await later(step.afterMs ?? 0);
        throw step.as === "text" ? step.text : new Error(step.text);
      case "fail-quota":
        await later(step.afterMs ?? 0);
        openQuotaDialog();
        throw new Error("[object Object]");
      case "hang":
        return new Promise(() => undefined);
      case "stream":
        return stream(step, id, config);
      default:
        return step satisfies never;
    }
  }

  async function stream(step: Extract<Step, { do: "stream" }>, id: string, config: Config): Promise<unknown> {
    if (config.should_stream !== true) throw new Error("The test plays a stream for a call that asked for none.");
    const { signal } = (runs.get(id) as Run).abort;
    let full = "";
    let atMs = 0;
    for (const [nextMs, text] of step.tokens) {
      await later(nextMs - atMs);
      atMs = nextMs;
      if (signal.aborted) return new Promise(() => undefined);
      full += text;
      sayTokens(full, text, id);
    }
    // A cut socket never settles; an error event returns the partial text as the answer.
    if (step.then === "cut") return new Promise(() => undefined);
    sayTokens(full, "", id);
    sayEnd(full, id);
    return full;
  }

  /** The host waits for no listener of these events: the order in which they arrive depends on the emitter alone. */
  function sayTokens(full: string, added: string, id: string): void {
    void events.emit("js_stream_token_received_fully", full, id);
    void events.emit("js_stream_token_received_incrementally", added, id);
  }

  function sayEnd(answer: unknown, id: string): void {
    void events.emit("js_generation_before_end", { message: answer }, id);
    void events.emit("js_generation_ended", answer, id);
  }

  function stop(id: string, reason: string): boolean {
    const run = runs.get(id);
    if (run === undefined) return false;
    run.abort.abort(reason);
    runs.delete(id);
    if (run.isBound) {
      bound.delete(id);
      if (bound.size === 0) showStop(false);
    }
    void events.emit("generation_stopped", id);
    return true;
  }

  const generate = (config: Config): Promise<unknown> => begin("generate", config);
  const generateRaw = (config: Config): Promise<unknown> => begin("generateRaw", config);
  const stopGenerationById = (id: string): boolean => stop(id, `生成 ID '${id}' 已停止`);
  const stopAllGeneration = (): boolean => {
    for (const id of [...runs.keys()]) stop(id, `生成 ID '${id}' 已停止`);
    return true;
  };
  /** The button emits its event twice without an id, then stops its generations. */
  const pressStop = (): void => {
    void events.emit("generation_stopped");
    void events.emit("generation_stopped");
    for (const id of [...bound]) stop(id, "点击停止按钮");
  };

  return {
    functions: { generate, generateRaw, stopGenerationById, stopAllGeneration },
    pressStop,
    running: () => [...runs.keys()],
  };
}
