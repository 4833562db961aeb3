import { describe, expect, test } from "vitest";
import { classify, type FailureKind } from "../../src/kernel/index.ts";
import { inspectEvent, type ModelEvent } from "../../src/providers/index.ts";
import type { Provider, ProviderError, ProviderEvent, ProviderRequest } from "../../src/providers/provider.ts";
import type { ReceivedRequest } from "../../src/simulator/http/index.ts";
import { AssistantDraft } from "../../src/turn/index.ts";
import type { AssistantPart } from "../../src/wire/index.ts";
import { until } from "../support/until.ts";

/** A provider, and what the other side has seen of it. */
export interface ProviderUnderTest {
  readonly provider: Provider;
  readonly requests: readonly ReceivedRequest[];
}

const NEVER = new AbortController().signal;
const WEATHER = {
  name: "get_weather",
  description: "The weather in a place",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};
const ASK_TOOL = 'Please call get_weather {"city":"Zürich","days":2} now';

export function ask(model: string, content = "Hello", more: Partial<ProviderRequest> = {}): ProviderRequest {
  return { model, messages: [{ role: "user", content }], ...more };
}

export async function gather(events: AsyncIterable<ProviderEvent>): Promise<readonly ProviderEvent[]> {
  const all: ProviderEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export function told(events: readonly ProviderEvent[]): readonly ProviderEvent[] {
  return events.filter(({ type }) => type !== "alive");
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

/** The parts of the message that the events make. */
export function partsOf(events: readonly ProviderEvent[]): readonly AssistantPart[] {
  const draft = new AssistantDraft("any/model");
  for (const event of events) draft.add(event);
  return draft.finish().parts;
}

/** What every provider must do, whatever is behind it. It needs a simulator on the other side. */
export function providerContract(name: string, open: () => ProviderUnderTest): void {
  const stream = (request: ProviderRequest, signal = NEVER): AsyncIterable<ProviderEvent> =>
    open().provider.stream(request, signal);
  const failing = async (request: ProviderRequest): Promise<ProviderError> => {
    const last = told(await gather(stream(request))).at(-1);
    if (last?.type !== "error") throw new Error(`Not an error: ${JSON.stringify(last)}`);
    return last;
  };

  describe(`${name}: good answers`, () => {
    test("K2: emits text, usage and finish, in this order and once", async () => {
      const events = told(await gather(stream(ask("ok", "echo: wind → 風 🌊"))));
      expect(textOf(events)).toBe("wind → 風 🌊");
      const types = events.map(({ type }) => type).filter((type) => type !== "text");
      expect(types).toEqual(["usage", "finish"]);
      expect(events.at(-1)).toEqual({ type: "finish", reason: "end" });
      expect(events.at(-2)).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
    });

    test("E15b: emits a complete tool call just before the end, and its parts as signs of life", async () => {
      const events = await gather(stream(ask("ok", ASK_TOOL, { tools: [WEATHER] })));
      expect(told(events).slice(-3)).toMatchObject([
        { type: "tool-call", name: "get_weather", arguments: { city: "Zürich", days: 2 } },
        { type: "usage" },
        { type: "finish", reason: "tool-use" },
      ]);
      expect(events).toContainEqual({ type: "alive", isProgress: true });
      expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(1);
    });

    test("E13: reads a good answer to its end, so that the connection can be used again", async () => {
      await gather(stream(ask("ok")));
      await until(() => open().requests[0]?.state === "done");
    });

    test("E15: separates reasoning from text", async () => {
      const events = await gather(stream(ask("ok", "echo: so", { reasoning: "low" })));
      const [thought, answer, ...rest] = partsOf(events);
      expect(thought).toMatchObject({ type: "reasoning", text: expect.stringContaining(" ") });
      expect(answer).toEqual({ type: "text", text: "so" });
      expect(rest).toEqual([]);
    });

    test("S6: gives a conversation with thoughts, calls and results back, and gets an answer to it", async () => {
      const { provider } = open();
      const first = ask("ok", ASK_TOOL, { tools: [WEATHER], reasoning: "low", system: "Be brief" });
      const parts = partsOf(await gather(provider.stream(first, NEVER)));
      const call = parts.find((part) => part.type === "tool-call");
      const result = { role: "tool", toolName: "get_weather", content: "7 degrees", isError: false } as const;
      const second: ProviderRequest = {
        ...first,
        messages: [
          ...first.messages,
          { role: "assistant", parts: [...parts], model: `${provider.name}/ok`, stopReason: "tool-use" },
          { ...result, toolCallId: call?.id ?? "" },
        ],
      };
      expect(textOf(await gather(provider.stream(second, NEVER)))).toMatch(/^The tool says: .*7 degrees/);
      const sent = JSON.stringify(open().requests.at(-1)?.body);
      expect(sent).toContain("Be brief");
      expect(sent).toContain("7 degrees");
      expect(sent).toMatch(/Z(?:ü|\\u00fc)rich/);
    });

    test("E15b: reports that an answer reached its output limit", async () => {
      const events = told(await gather(stream(ask("ok-50", "Hello", { maxTokens: 10 }))));
      expect(events.at(-1)).toEqual({ type: "finish", reason: "length" });
    });
  });

  describe(`${name}: failures`, () => {
    const REFUSALS: readonly (readonly [model: string, kind: FailureKind])[] = [
      ["overloaded", "overloaded"],
      ["rate-limited-900000", "rate_limit"],
      ["quota", "usage_limit"],
      ["overflow", "context_overflow"],
      ["down", "overloaded"],
      ["server-error", "server"],
      ["bad-gateway", "server"],
      ["timeout", "timeout"],
      ["unauthorized", "auth"],
      ["forbidden", "permission"],
      ["not-found", "not_found"],
      ["bad-request", "bad_request"],
      ["fault-16", "server"],
    ];

    test.each(REFUSALS)(
      "K8: %s is one error event with the endpoint's words, and the kernel calls it %s",
      async (model, kind) => {
        const error = await failing(ask(model));
        const { status = 0 } = error;
        expect(error.message).toMatch(new RegExp(`^HTTP ${status}: [{<]`));
        expect(error.retryable).toBe(status >= 500 || status === 429);
        const { provider, requests } = open();
        const reading = inspectEvent(error);
        const problem = typeof reading === "object" ? reading.problem : undefined;
        for (const judged of [error, problem]) {
          expect(classify(judged, { provider: provider.name, wallNowMs: Date.now() })).toMatchObject({ kind, status });
        }
        expect(requests).toHaveLength(1);
      },
    );

    test("E6: the hint of a rate limit comes through", async () => {
      const reading = inspectEvent(await failing(ask("rate-limited-900000")));
      const problem = typeof reading === "object" ? reading.problem : undefined;
      // The simulator's second is ten milliseconds here.
      expect(classify(problem, { wallNowMs: Date.now() }).hintMs).toBe(9000);
    });

    const BROKEN: readonly (readonly [what: string, model: string, kinds: readonly FailureKind[]])[] = [
      ["a socket that is closed in the middle", "cut-3", ["network", "stream_broken"]],
      ["a connection that is reset before the headers", "fault-6", ["network"]],
      ["a connection that is reset in the middle", "fault-20", ["network", "stream_broken"]],
      ["a tidy end in the middle", "fault-21-400", ["stream_broken"]],
      ["an end without the terminal marker", "fault-37", ["stream_broken"]],
      ["a missing last chunk that hides the end", "fault-21-0", ["stream_broken"]],
      ["an answer without content", "empty", ["stream_broken"]],
      ["an empty HTTP 200", "fault-17", ["stream_broken"]],
      ["an HTTP 204", "fault-19", ["stream_broken"]],
      ["an HTML page with HTTP 200", "fault-16-200", ["stream_broken"]],
      ["an event that is not JSON, before all content", "fault-33-0", ["stream_broken"]],
      ["a JSON error with HTTP 200", "fault-18", ["overloaded"]],
      ["an error event at the beginning", "fault-35", ["overloaded"]],
      ["an error event after content", "fault-36", ["overloaded"]],
      ["a compressed body that is cut", "fault-24", ["network", "stream_broken"]],
    ];

    test.each(BROKEN)("E15b: %s (%s) is an error, never a success", async (_what, model, kinds) => {
      const events = told(await gather(stream(ask(model))));
      const errors = events.filter(({ type }) => type === "error");
      expect(errors).toEqual([events.at(-1)]);
      expect(events.some(({ type }) => type === "finish" || type === "usage")).toBe(false);
      const reading = inspectEvent(events.at(-1) as ProviderEvent);
      const failure = classify(typeof reading === "object" ? reading.problem : undefined);
      expect(kinds).toContain(failure.kind);
      expect(failure.retryable).toBe(true);
      expect(errors[0]).toMatchObject({ retryable: true });
    });

    test("E15b: an event that is not JSON breaks the answer, because its content is unknown", async () => {
      const events = told(await gather(stream(ask("fault-33"))));
      expect(events.at(-1)).toMatchObject({ type: "error", code: "stream_broken", retryable: true });
    });

    test("E15b: arguments that are cut are never a tool call", async () => {
      for (const kept of [1, 5, 12, 20]) {
        const events = told(await gather(stream(ask(`fault-39-${kept}`, ASK_TOOL, { tools: [WEATHER] }))));
        expect(events.map(({ type }) => type)).not.toContain("tool-call");
        expect(events.at(-1)).toMatchObject({ type: "error" });
      }
    });

    test("E15b: a whole tool call in a stream without its end is none", async () => {
      const events = told(await gather(stream(ask("fault-37", ASK_TOOL, { tools: [WEATHER] }))));
      expect(events.map(({ type }) => type)).not.toContain("tool-call");
      expect(events.at(-1)).toMatchObject({ type: "error", code: "stream_broken" });
    });

    test("E15b: ended at any byte, what comes is a prefix and an error, or everything and a finish", async () => {
      const text = "a few words, and then: café, 風, 🌊";
      const whole = told(await gather(stream(ask("ok", `echo: ${text}`))));
      for (let byte = 0; byte < 4000; byte += 173) {
        const events = told(await gather(stream(ask(`fault-21-${byte}`, `echo: ${text}`))));
        const last = events.at(-1);
        if (last?.type === "finish") expect(textOf(events)).toBe(textOf(whole));
        else expect(last?.type).toBe("error");
        expect(text.startsWith(textOf(events))).toBe(true);
      }
    });

    test.each([
      ...["fault-10", "fault-11", "fault-15", "fault-26", "fault-26-early", "fault-28", "fault-29", "fault-29-cr"],
      ...["fault-29-open", "fault-31", "fault-31-empty", "fault-34", "fault-34-0", "fault-34-first", "fault-34-end"],
      "fault-38",
    ])("E15b: %s is harmless: the answer is the same as without it", async (model) => {
      const good = told(await gather(stream(ask("ok", "echo: all is well"))));
      // The simulator counts the name of the model as input.
      const same = good.map((event) =>
        event.type === "usage" ? { ...event, inputTokens: expect.any(Number) } : event,
      );
      expect(told(await gather(stream(ask(model, "echo: all is well"))))).toEqual(same);
    });

    test("E15b: fault-27 is harmless: no character is lost", async () => {
      const events = told(await gather(stream(ask("fault-27"))));
      expect(events.at(-1)).toEqual({ type: "finish", reason: "end" });
      expect(textOf(events)).toContain("風と海 ☂ 🌊");
    });
  });

  describe(`${name}: aborts`, () => {
    const abortAfter = async (
      model: string,
      enough: (events: readonly ProviderEvent[]) => boolean,
    ): Promise<readonly ProviderEvent[]> => {
      const { provider } = open();
      const controller = new AbortController();
      const events: ProviderEvent[] = [];
      const reading = (async () => {
        for await (const event of provider.stream(ask(model), controller.signal)) events.push(event);
      })();
      await until(() => open().requests.length === 1 && enough(events));
      const startedAt = Date.now();
      controller.abort(new Error("enough"));
      await reading;
      expect(Date.now() - startedAt).toBeLessThan(500);
      await until(() => open().requests[0]?.state === "client-left");
      return events;
    };

    test.each(["fault-8", "silent", "fault-30"])(
      "E13: %s + abort ends the stream and closes the socket",
      async (model) => {
        const events = await abortAfter(model, () => true);
        expect(events.filter(({ type }) => type !== "alive")).toEqual([]);
      },
    );

    test("E13: a stall + abort ends the stream and closes the socket", async () => {
      const events = await abortAfter("stall-3", (seen) => textOf(seen) !== "");
      expect(events.map(({ type }) => type)).not.toContain("error");
      expect(textOf(events)).not.toBe("");
    });

    test("E15: keep-alives are signs of life of the connection, not of the model", async () => {
      const events = await abortAfter("fault-30", (seen) => seen.length >= 4);
      const readings = new Set(events.map((event) => inspectEvent(event)));
      expect(readings).toEqual(new Set(["noise"]));
    });

    test("E13: a signal that is aborted already makes no call at all", async () => {
      expect(await gather(stream(ask("ok"), AbortSignal.abort()))).toEqual([]);
      expect(open().requests).toEqual([]);
    });

    test("E13: leaving the loop closes the socket", async () => {
      for await (const { type } of stream(ask("stall-3"))) if (type === "text") break;
      await until(() => open().requests[0]?.state === "client-left");
    });

    test("E13: an abort at any event ends the stream there, without an error", async () => {
      for (let enough = 1; enough < 12; enough += 1) {
        const controller = new AbortController();
        const events: ProviderEvent[] = [];
        for await (const event of stream(ask("ok-8"), controller.signal)) {
          events.push(event);
          if (events.length === enough) controller.abort();
        }
        expect(events.length).toBe(enough);
        expect(events.map(({ type }) => type)).not.toContain("error");
      }
    });

    test("C11: calls side by side do not mix", async () => {
      const texts = Array.from({ length: 12 }, (_, n) => `number ${n} of twelve`);
      const answers = await Promise.all(
        texts.map(async (text) => textOf(await gather(stream(ask("ok", `echo: ${text}`))))),
      );
      expect(answers).toEqual(texts);
    });
  });
}
