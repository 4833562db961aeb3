import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { AnswerEvents } from "../../src/providers/line/answer-events.ts";
import { meaningOf, usageOf } from "../../src/providers/line/event-meaning.ts";
import { SseReader } from "../../src/providers/line/sse-reader.ts";
import { ask, gather, textOf, told } from "./provider-contract.ts";
import { openProvider } from "./support.ts";

const dataOf = (...pieces: readonly string[]): readonly string[] => {
  const reader = new SseReader();
  const events = pieces.flatMap((piece) => reader.read(piece));
  const last = reader.end();
  return (last === undefined ? events : [...events, last]).map(({ name, data, isEnded }) =>
    [name === "" ? data : `${name}=${data}`, ...(isEnded ? [] : ["open"])].join(" "),
  );
};

describe("server-sent events", () => {
  test.each([
    ["data: a\n\ndata: b\n\n", ["a", "b"]],
    ["data:a\r\n\r\ndata:b\r\rdata: c\n\n", ["a", "b", "c"]],
    ["event: x\nid: 7\nretry: 5\n: note\ndata: a\n\n", ["x=a"]],
    ["event: x\n\ndata: a\n\n", ["a"]],
    ["data: a\ndata: b\n\n", ["a\nb"]],
    ["data:  a \n\n", [" a "]],
    ["data\n\ndata:\n\ndata: \n\ndata:\t\n\n", []],
    ["datas: a\n\nxdata: b\n\n", []],
    ["data: a:b\n\n", ["a:b"]],
    ["\n\n\ndata: a\n\n\n\n", ["a"]],
    ["data: a\n\ndata: b\n", ["a", "b open"]],
    ["data: a\n\ndata: b", ["a", "b open"]],
    ["data: a\n\ndata:", ["a"]],
    ["data: a", ["a open"]],
    [": only a comment", []],
    ["", []],
  ])("E15b: %j holds %j, however it is split", (text, expected) => {
    expect(dataOf(text)).toEqual(expected);
    expect(dataOf(...text)).toEqual(expected);
    for (let at = 0; at <= text.length; at += 1) {
      expect(dataOf(text.slice(0, at), "", text.slice(at))).toEqual(expected);
    }
  });

  test("E7: one event in very many pieces is read in linear time", () => {
    const reader = new SseReader();
    const piece = "x".repeat(16);
    reader.read("data: ");
    const startMs = performance.now();
    for (let n = 0; n < 300_000; n += 1) reader.read(piece);
    expect(reader.read("\n\n").map(({ data }) => data.length)).toEqual([4_800_000]);
    expect(performance.now() - startMs).toBeLessThan(5000);
  });
});

describe("the meaning of an event", () => {
  test.each([
    ["[DONE]", "last"],
    [" [DONE] ", "last"],
    ['{"type":"message_stop"}', "last"],
    ['{"type":"response.completed","response":{}}', "last"],
    ['{"type":"response.incomplete","response":{}}', "last"],
    ['{"type":"response.failed","response":{}}', "last"],
    ['{"choices":[{"finish_reason":"stop"}]}', "end"],
    ['{"candidates":[{"finishReason":"STOP"}]}', "end"],
    ['{"choices":[{"finish_reason":""}]}', "known"],
    ['{"choices":[{"finish_reason":null}]}', "known"],
    ['{"choices":[]}', "known"],
    ['{"choices":[null]}', "known"],
    ['{"choices":{}}', "known"],
    ['{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}', "known"],
    ['{"choices":[{"delta":{"content":"{\\"finish_reason\\":\\"stop\\"} [DONE]"}}]}', "known"],
    ['{"promptFeedback":{}}', "known"],
    ['{"error":{}}', "known"],
    ['{"usage":{}}', "known"],
    ['{"usageMetadata":{}}', "known"],
    ['{"object":"error","message":"x"}', "known"],
    ['{"type":"response.brand_new"}', "known"],
    ...["message_start", "message_delta", "content_block_start", "content_block_delta", "content_block_stop"].map(
      (type) => [JSON.stringify({ type }), "known"] as const,
    ),
    ['{"type":"ping"}', "known"],
    ['{"type":"error"}', "known"],
    ["5", "known"],
    ["[1]", "known"],
    ["null", "known"],
    ['{"type":"message_brand_new"}', "unknown"],
    ['{"type":"content_block_brand_new"}', "unknown"],
    ['{"type":"responses"}', "unknown"],
    ['{"type":7}', "unknown"],
    ["{}", "unknown"],
    ["{oops", "broken"],
    ["<html>", "broken"],
    ["[DONE] not", "broken"],
  ] as const)("E15b: %s is %s", (data, meaning) => {
    expect(meaningOf(data, "")).toBe(meaning);
  });

  test("E15b: what is no JSON is unknown only under a name that no format uses", () => {
    expect(
      ["", "message", "content_block_delta", "response.x", "error", "ping"].map((name) => meaningOf("-", name)),
    ).toEqual(Array.from({ length: 6 }, () => "broken"));
    expect(["heartbeat", "keepalive", "x-error"].map((name) => meaningOf("-", name))).toEqual(
      Array.from({ length: 3 }, () => "unknown"),
    );
  });

  test("E7: an event too long to be parsed twice is content", () => {
    expect(meaningOf(`{"x":"${"a".repeat(1_000_000)}"}`, "")).toBe("known");
    expect(meaningOf(`{"x":"${"a".repeat(900_000)}"}`, "")).toBe("unknown");
  });

  test.each([
    [
      '{"id":"c","choices":[{"delta":{"content":"more"}}],"usage":{"prompt_tokens":1}}',
      '{"id":"c","choices":[],"usage":{"prompt_tokens":1}}',
    ],
    ['{"candidates":[{}],"usageMetadata":{"promptTokenCount":1}}', '{"usageMetadata":{"promptTokenCount":1}}'],
    ['{"choices":[],"usage":null}', undefined],
    ['{"choices":[],"usage":[1]}', undefined],
    ['{"type":"message_stop"}', undefined],
    ["null", undefined],
    ["{oops", undefined],
  ])("E15b: of %s only the usage counts after the terminal marker", (data, expected) => {
    expect(usageOf(data)).toBe(expected);
  });
});

describe("the events of an answer", () => {
  const read = (text: string): { readonly written: string; readonly ignored: number; readonly hasEnded: boolean } => {
    let ignored = 0;
    const events = new AnswerEvents(() => {
      ignored += 1;
    });
    let written = "";
    for (const byte of Buffer.from(text)) written += events.read(Uint8Array.of(byte));
    written += events.end();
    return { written, ignored, hasEnded: events.hasEnded };
  };

  test("E15b: are written one by one, with LF, without names, comments and byte order mark", () => {
    expect(read('\uFEFF: hi\r\nevent: x\r\ndata: {"choices":\r\ndata: [{"delta":"風"}]}\r\n\r\n')).toEqual({
      written: 'data: {"choices": [{"delta":"風"}]}\n\n',
      ignored: 0,
      hasEnded: false,
    });
  });

  test("E15b: leave out an unknown one, which is a sign of life", () => {
    expect(read('data: {"type":"new"}\n\ndata: {"error":1}\n\n')).toEqual({
      written: 'data: {"error":1}\n\n',
      ignored: 1,
      hasEnded: false,
    });
  });

  test("E15b: have the broken one, so that it is an error, unless it is the cut last one", () => {
    expect(read("data: {oops\n\ndata: {cut\n").written).toBe("data: {oops\n\n");
  });

  test("E15b: end with the first terminal marker, and usage after it", () => {
    const end = 'data: {"choices":[{"finish_reason":"stop"}]}\n\n';
    const usage = 'data: {"usage":{},"choices":[]}\n\n';
    const unknown = 'data: {"type":"new"}\n\n';
    expect(read([end, unknown, end, usage, "data: [DONE]\n\n", usage].join(""))).toEqual({
      written: end + usage,
      ignored: 0,
      hasEnded: true,
    });
    expect(read(`data: [DONE]\n\n${usage}`)).toEqual({ written: "data: [DONE]\n\n", ignored: 0, hasEnded: true });
  });
});

test("E15b: text without end after the terminal marker does not keep an answer from ending", async () => {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk({ content: "Hello" }, "") + chunk({}, "stop"));
    const timer = setInterval(() => response.write(chunk({ content: " more" }, null)), 50);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider = openProvider({ name: "p", speech: "openai-chat", baseUrl: `http://127.0.0.1:${port}/v1` });
  const events = told(await gather(provider.stream(ask("m"), new AbortController().signal)));
  server.closeAllConnections();
  server.close();
  expect(textOf(events)).toBe("Hello");
  expect(events.at(-1)).toEqual({ type: "finish", reason: "end" });
}, 20_000);
