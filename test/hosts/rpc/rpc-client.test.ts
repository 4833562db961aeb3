import { describe, expect, test } from "vitest";
import { RpcClient } from "../../../src/hosts/rpc/index.ts";
import { NO_RETRIES } from "../../../src/session/index.ts";

const MEBI = 1024 * 1024;
const STATE = {
  ...{ model: "sim/ok", conversationId: "c", isStreaming: false, isRetrying: false, retryAttempt: 0 },
  ...{ autoRetryEnabled: true, autoCompactionEnabled: true, retries: NO_RETRIES },
};

/** A client of a session that sends each chunk once the client has sent that many lines. */
function clientOf(chunks: (sent: readonly string[]) => AsyncIterable<string>): RpcClient {
  const sent: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* incoming(): AsyncGenerator<string> {
    yield* chunks(sent);
    await ended;
  }
  return new RpcClient({ incoming: incoming(), send: (line) => void sent.push(line), close: async () => end() });
}

/** A line over the client's limit, in chunks of 1 MiB. */
function* longLine(beginning: string): Generator<string> {
  yield* beginning;
  for (let i = 0; i < 65; i++) yield "x".repeat(MEBI);
  yield '"}\n';
}

const waitFor = async (sent: readonly string[], count: number): Promise<void> => {
  while (sent.length < count) await new Promise((resolve) => setImmediate(resolve));
};

const response = (id: string): string =>
  `${JSON.stringify({ id, type: "response", command: "get_state", success: true, data: STATE })}\n`;

describe("RpcClient and overlong lines", () => {
  test("S9: an overlong response rejects its command, and the client continues", async () => {
    const client = clientOf(async function* (sent) {
      await waitFor(sent, 2);
      yield* longLine('{"id":"c1","type":"response","command":"get_messages","success":true,"data":"');
      yield response("c2");
    });
    const messages = client.getMessages();
    const state = client.getState();
    await expect(messages).rejects.toThrow("Response skipped: longer than 67108864 characters");
    expect(await state).toEqual(STATE);
    await client.close();
  });

  test("S9: skips an overlong event", async () => {
    const client = clientOf(async function* (sent) {
      await waitFor(sent, 1);
      yield* longLine('{"type":"tool_end","content":"');
      yield response("c1");
    });
    expect(await client.getState()).toEqual(STATE);
    await client.close();
  });

  test("S9: an overlong line of unknown origin rejects all pending commands", async () => {
    const client = clientOf(async function* (sent) {
      await waitFor(sent, 2);
      yield* longLine('{"success":true,"command":"get_messages","data":"');
      await waitFor(sent, 3);
      yield response("c3");
    });
    const asked = await Promise.allSettled([client.getMessages(), client.getState()]);
    expect(asked.map((one) => one.status === "rejected" && String(one.reason))).toEqual(
      Array(2).fill(expect.stringContaining("perhaps the response")),
    );
    expect(await client.getState()).toEqual(STATE);
    await client.close();
  });
});
