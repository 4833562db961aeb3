import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/index.ts";
import type { Speech } from "../../src/providers/endpoint.ts";
import { inspectEvent, ProviderProblem, simulatedProvider } from "../../src/providers/index.ts";
import type { ProviderEvent } from "../../src/providers/provider.ts";
import { toProviderError } from "../../src/providers/provider-problem.ts";
import { startConnectFault } from "../../src/simulator/http/index.ts";
import { ask, gather, told } from "./provider-contract.ts";
import { openProvider, SECRET } from "./support.ts";

const NEVER = new AbortController().signal;
const SPEECHES: readonly Speech[] = ["anthropic", "openai-responses", "openai-chat", "google"];
const PLAIN = { provider: "p", redact: <T>(value: T): T => value };

function failureOf(event: ProviderEvent | undefined) {
  const reading = event === undefined ? undefined : inspectEvent(event);
  return classify(typeof reading === "object" ? reading.problem : undefined);
}

describe.each(SPEECHES)("%s", (speech) => {
  const stream = async (baseUrl: string): Promise<readonly ProviderEvent[]> =>
    told(await gather(openProvider({ name: "p", speech, baseUrl }).stream(ask("ok"), NEVER)));

  test("E4: a refused connection is a network fault that passes, as an event", async () => {
    const { url, close } = await startConnectFault({ type: "connection-refused" });
    const events = await stream(url);
    await close();
    expect(events).toMatchObject([{ type: "error", retryable: true, code: "ECONNREFUSED" }]);
    expect(failureOf(events[0])).toMatchObject({ kind: "network", retryable: true });
  });

  test("E4: an unknown host name gives an event with a network fault", async () => {
    const events = await stream("http://nobody.invalid/v1");
    expect(events).toMatchObject([{ type: "error" }]);
    expect(failureOf(events[0]).kind).toBe("network");
  });

  test("E4: a bad certificate is a network fault that does not pass", async () => {
    const { url, close } = await startConnectFault({ type: "tls", flaw: "self-signed" });
    const events = await stream(url);
    await close();
    expect(events).toMatchObject([{ type: "error", retryable: false }]);
    expect(failureOf(events[0])).toMatchObject({ kind: "network", retryable: false });
  });

  test("E17: a key that the endpoint repeats is taken out of its words and headers", async () => {
    const body = JSON.stringify({
      error: { message: `Incorrect API key provided: ${SECRET}`, type: "authentication_error" },
    });
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () =>
        socket.end(
          `HTTP/1.1 401 Unauthorized\r\nx-echo: Bearer ${SECRET}\r\nset-cookie: a=b\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const [event] = await stream(`http://127.0.0.1:${port}/v1`);
    server.close();
    const { cause: _cause, ...shown } = event as ProviderEvent & { cause?: unknown };
    expect(shown).toMatchObject({ status: 401, retryable: false, headers: { "x-echo": "Bearer [key p#1]" } });
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(JSON.stringify(shown)).not.toContain("set-cookie");
  });

  test("E17: a missing key is an error that names the remedy, and no call", async () => {
    const provider = openProvider({ name: "p", speech, baseUrl: "http://127.0.0.1:9/v1" });
    const [event, ...rest] = told(await gather(provider.stream(ask("ok", "Hi", { credential: "p#7" }), NEVER)));
    expect(rest).toEqual([]);
    expect(event).toMatchObject({ type: "error", retryable: false, code: "missing_api_key" });
    expect(event).toMatchObject({ message: expect.stringContaining("secondwind keys add p") });
    expect(failureOf(event).kind).toBe("auth");
  });
});

describe("provider errors", () => {
  test.each([
    [429, true],
    [500, true],
    [503, true],
    [529, true],
    [408, false],
    [400, false],
    [404, false],
    [302, false],
  ])("K8: retryable for HTTP %i is %s", (statusCode, retryable) => {
    const event = toProviderError({ statusCode, responseBody: '{"error":"x"}' }, PLAIN);
    expect(event).toMatchObject({ status: statusCode, retryable, message: `HTTP ${statusCode}: {"error":"x"}` });
  });

  test("E4: what the flag can't know the classifier knows: a 408 passes, a used-up quota does not", () => {
    const judge = (problem: object) => failureOf(toProviderError(problem, PLAIN));
    expect(judge({ statusCode: 408, responseBody: "Request Timeout" })).toMatchObject({
      kind: "timeout",
      retryable: true,
    });
    const quota = '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}';
    expect(judge({ statusCode: 429, responseBody: quota })).toMatchObject({ kind: "usage_limit", retryable: false });
  });

  test("K3: a huge body is cut, not the rest", () => {
    const event = toProviderError({ statusCode: 502, responseBody: "x".repeat(100_000) }, PLAIN);
    expect(event.message.length).toBeLessThan(9000);
  });

  test("E7: whatever is thrown becomes an event", () => {
    for (const thrown of [
      undefined,
      null,
      7,
      "boom",
      new Error(""),
      {
        get message() {
          throw new Error("no");
        },
      },
    ]) {
      expect(toProviderError(thrown, PLAIN)).toMatchObject({ type: "error", retryable: expect.any(Boolean) });
    }
  });

  test("K8: a problem that is one already stays as it is", async () => {
    const { provider } = { provider: simulatedProvider({ timeScale: 0, firstTokenMs: 0, tokenMs: 0 }) };
    const fault: unknown = await provider
      .embed?.({ model: "overloaded", texts: ["a"] }, NEVER)
      .catch((thrown) => thrown);
    expect(fault).toBeInstanceOf(ProviderProblem);
    expect(toProviderError(fault, PLAIN)).toMatchObject({
      status: 503,
      retryable: true,
      message: expect.stringMatching(/^HTTP 503: \{/),
    });
  });
});
