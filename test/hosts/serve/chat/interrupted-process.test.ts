import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type CliStart, startCli } from "../../../support/run-cli.ts";
import { until } from "../../../support/until.ts";
import { chatOverHttp, type Line } from "./clients/ndjson-client.ts";
import { ChatSocket } from "./clients/socket-client.ts";

interface Served extends CliStart {
  readonly url: string;
}

async function serve(home: string): Promise<Served> {
  const started = startCli(["serve", "--port", "0", "--no-open", "--drain", "1"], { HOME: home });
  onTestFinished(() => void started.child.kill("SIGKILL"));
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await started.said("http://127.0.0.1:")) ?? [""];
  return { ...started, url };
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "secondwind-serve-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** As a page does it: with the token of its session. */
async function post(url: string, path: string, body: unknown): Promise<Response> {
  const { token } = (await (await fetch(`${url}/api/session`)).json()) as { readonly token: string };
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-secondwind-token": token },
    body: JSON.stringify(body),
  });
}

const open = async (url: string, id: string) =>
  (await (await fetch(`${url}/api/conversations/${id}`)).json()) as {
    readonly state: string;
    readonly lines: readonly unknown[];
  };

/** Sends a message to an endpoint that is overloaded, and returns when the turn waits. */
async function waitingTurn(url: string): Promise<string> {
  const events: Line[] = [];
  chatOverHttp(url, { message: "Are you there?", model: "sim/overloaded" }, (event) => events.push(event)).catch(
    () => undefined,
  );
  await until(() => events.some(({ type }) => type === "provider-retry"), 15_000);
  return events[0]?.conversationId ?? "";
}

test("K7, B6: a server killed in the middle of a wait shows the turn as interrupted when it runs again, and continues it", async () => {
  const home = newHome();
  const first = await serve(home);
  const id = await waitingTurn(first.url);
  expect((await open(first.url, id)).state).toBe("waiting");
  first.child.kill("SIGKILL");
  await first.end;

  const second = await serve(home);
  expect(await open(second.url, id)).toMatchObject({
    state: "interrupted",
    model: "sim/overloaded",
    policy: "patient",
    lines: [{ message: { role: "user", content: "Are you there?" } }],
  });
  const socket = new ChatSocket(second.url);
  await socket.opened();
  socket.request({ type: "chat.subscribe", conversationId: id });
  expect((await post(second.url, `/api/conversations/${id}/continue`, { model: "sim/ok" })).status).toBe(200);
  expect(await socket.got("turn-sealed")).toMatchObject({ status: "done" });
  expect(socket.text).not.toBe("");
  expect((await open(second.url, id)).state).toBe("idle");
  socket.close();
}, 60_000);

test("K6: a server that is asked to stop stores a waiting turn as interrupted, and seals it for its clients", async () => {
  const home = newHome();
  const first = await serve(home);
  const id = await waitingTurn(first.url);
  const socket = new ChatSocket(first.url);
  await socket.opened();
  socket.request({ type: "chat.subscribe", conversationId: id });
  await socket.got("provider-retry");
  first.child.kill("SIGTERM");
  expect(await socket.got("turn-sealed")).toMatchObject({ status: "aborted" });
  expect((await first.end).code).toBe(0);

  const second = await serve(home);
  expect((await open(second.url, id)).state).toBe("interrupted");
}, 60_000);
