import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { isRunElsewhere } from "../../src/hosts/serve/chat/turn-owner.ts";
import { ChatWorld } from "../hosts/serve/chat/chat-world.ts";
import { says } from "../support/scripted-provider.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that stands for another server. */
function otherServer(): { readonly pid: number; end(): Promise<void> } {
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  children.push(child);
  return {
    pid: child.pid ?? 0,
    end: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

/** A conversation whose turn another process has begun. */
async function begunBy(pid: number): Promise<ChatWorld> {
  const world = new ChatWorld([says("Good day")]);
  const { conversations } = world.store;
  await conversations.create({ id: "c1", title: "Hello" });
  const data = { turnId: "t1", model: "acme/large", policy: "patient", by: { pid, since: Date.now() } };
  await conversations.append("c1", [
    { type: "turn", data },
    { type: "message", data: { role: "user", content: "Hello" } },
  ]);
  return world;
}

describe("K6: a turn that another server is running", () => {
  test("K6: is shown as running, and can neither be continued nor doubled", async () => {
    const { pid } = otherServer();
    const { service } = await begunBy(pid);
    expect(await service.open("c1")).toMatchObject({ state: "running" });
    expect(await service.list()).toMatchObject([{ id: "c1", state: "running" }]);
    const refusal = {
      status: 409,
      message: expect.stringContaining(`Another server (process ${pid}) is running a turn`),
    };
    await expect(service.continue("c1", {})).rejects.toMatchObject(refusal);
    await expect(service.send({ conversationId: "c1", message: "again" })).rejects.toMatchObject(refusal);
  });

  test("K6: is interrupted as soon as that server is killed, and can be continued", async () => {
    const other = otherServer();
    const { service } = await begunBy(other.pid);
    expect(await service.list()).toMatchObject([{ state: "running" }]);
    await other.end();
    expect(await service.list()).toMatchObject([{ state: "interrupted" }]);
    expect(await service.open("c1")).toMatchObject({ state: "interrupted" });
    expect(await service.continue("c1", {})).toMatchObject({ conversationId: "c1" });
  });

  test("K6: a process that got the pid of a killed server later is not taken for it", async () => {
    const { pid } = otherServer();
    const { service } = await begunBy(process.pid);
    expect(await service.open("c1")).toMatchObject({ state: "interrupted" });
    expect(isRunElsewhere(undefined)).toBe(false);
    expect(isRunElsewhere({ pid, since: Date.now() })).toBe(true);
    // Only Linux tells when a process started.
    expect(isRunElsewhere({ pid, since: Date.now() - 3_600_000 })).toBe(process.platform !== "linux");
  });
});
