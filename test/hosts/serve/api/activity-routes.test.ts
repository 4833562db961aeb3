import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { openActivity } from "../../../../src/activity/index.ts";
import { activityRoutes } from "../../../../src/hosts/serve/api/activity-routes.ts";
import { MemoryHealth, type RunOptions, start } from "../../../../src/index.ts";
import { memoryStore } from "../../../../src/store/index.ts";
import { systemPorts } from "../../../../src/system/index.ts";
import type { ActivityMessage, ActivityPage, ActivitySummary } from "../../../../src/wire/http/activity.ts";
import { target } from "../../../kernel/health/fixtures.ts";
import { until } from "../../../support/until.ts";
import { answer, fails, type Step, World } from "../../../support/world.ts";
import { startServer, type TestServer } from "../support/test-server.ts";

const patient = { schedules: { general: { type: "fixed", delayMs: 60_000 } }, budget: null, breaker: null } as const;
const facts = { door: "chat", policy: "patient", asked: "first/a" };

/** A generation of the server's process. */
function run({ activity }: TestServer, call: Step, options: RunOptions & { readonly client?: string } = {}) {
  const { client, ...rest } = options;
  const watch = activity.watch({ ...facts, ...(client !== undefined && { client }) });
  const targets = [{ provider: "first", model: "a" }];
  return start(call, { policy: patient, targets, on: watch.on, ...rest });
}

function scripted(...steps: readonly Step[]): Step {
  return new World().script(...steps);
}

describe("K6: the API of activity", () => {
  test("B4: lists generations, the newest first, by outcome, kind, provider, client and door, a page at a time", async () => {
    const server = await startServer();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const generation = run(server, n === 2 ? fails(401) : answer(), n === 3 ? { client: "ci" } : {});
      await generation.result;
      ids.unshift(generation.id);
    }
    const list = async (query: string): Promise<ActivityPage> =>
      (await server.ask(`/api/activity${query}`)).json as ActivityPage;
    const idsOf = ({ records }: ActivityPage): readonly string[] => records.map(({ id }) => id);
    expect(idsOf(await list(""))).toEqual(ids);
    const first = await list("?limit=2");
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const second = await list(`?limit=2&before=${encodeURIComponent(first.next ?? "")}`);
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    const third = await list(`?limit=2&before=${encodeURIComponent(second.next ?? "")}`);
    expect(idsOf(third)).toEqual(ids.slice(4));
    expect(third.next).toBeUndefined();
    expect(idsOf(await list("?outcome=failed"))).toEqual([ids[2]]);
    expect(idsOf(await list("?outcome=first"))).toHaveLength(4);
    expect(idsOf(await list("?kind=auth"))).toEqual([ids[2]]);
    expect(idsOf(await list("?client=ci&door=chat&provider=first"))).toEqual([ids[1]]);
    expect(idsOf(await list("?provider=second"))).toEqual([]);
  });

  test.each([
    ["?limit=0", "limit"],
    ["?limit=1001", "limit"],
    ["?outcome=great", "outcome"],
    ["?kind=tiredness", "kind"],
    ["?before=nonsense", "before"],
  ])("B4: rejects %s with the name of the field", async (query, field) => {
    const server = await startServer();
    const { status, json } = await server.ask(`/api/activity${query}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { field } });
  });

  test("B4: sums up", async () => {
    const server = await startServer();
    await run(server, answer()).result;
    const { status, json } = await server.ask("/api/activity/summary");
    expect(status).toBe(200);
    expect(json as ActivitySummary).toMatchObject({ generations: 1, first: 1, providers: ["first"] });
  });

  test("B8: retry-now and give-up act on a generation: 204, then 409; 404 for an unknown one; 403 without the token", async () => {
    const server = await startServer();
    const headers = { "x-secondwind-token": server.token };
    const post = (path: string, given = headers) => server.ask(path, { method: "POST", headers: given });
    const retried = run(server, scripted(fails(503), answer()));
    const given = run(server, fails(503));
    await until(() => retried.isWaiting && given.isWaiting);

    const retryNow = `/api/generations/${retried.id}/retry-now`;
    expect((await server.ask(retryNow, { method: "POST" })).status).toBe(403);
    expect(retried.isWaiting).toBe(true);
    expect((await post(retryNow)).status).toBe(204);
    expect(await retried.result).toMatchObject({ ok: true });
    expect(await post(retryNow)).toMatchObject({
      status: 409,
      json: { error: { message: "The generation has ended" } },
    });

    const giveUp = `/api/generations/${given.id}/give-up`;
    expect((await post(giveUp)).status).toBe(204);
    expect(await given.result).toMatchObject({ ok: false, reason: "gave-up" });
    expect((await post(giveUp)).status).toBe(409);

    const hanging = run(server, () => new Promise(() => undefined));
    expect(await post(`/api/generations/${hanging.id}/retry-now`)).toMatchObject({
      status: 409,
      json: { error: { message: "The generation is not waiting" } },
    });
    expect((await post(`/api/generations/${hanging.id}/give-up`)).status).toBe(204);
    expect((await post("/api/generations/unknown/retry-now")).status).toBe(404);
    expect((await post("/api/generations/unknown/give-up")).status).toBe(404);
  });

  test("B8: retry-now succeeds where the wait is just over: from a second tab, or after a wait of a millisecond", async () => {
    const server = await startServer();
    const headers = { "x-secondwind-token": server.token };
    const generation = run(
      server,
      scripted(fails(503), () => new Promise(() => undefined)),
    );
    await until(() => generation.isWaiting);
    const retryNow = () => server.ask(`/api/generations/${generation.id}/retry-now`, { method: "POST", headers });
    expect((await retryNow()).status).toBe(204);
    expect(generation.isWaiting).toBe(false);
    expect((await retryNow()).status).toBe(204);
    expect(server.activity.find(generation.id)).toMatchObject({ state: "attempting", attemptCount: 2 });
    server.activity.giveUp(generation.id);
    expect((await retryNow()).status).toBe(409);
  });

  test("B4: the stream begins with what is under way, then has every change, and ends with its client", async () => {
    const server = await startServer();
    const waiting = run(server, scripted(fails(503), answer()));
    await until(() => waiting.isWaiting);
    const messages: ActivityMessage[] = [];
    let rest = "";
    const sent = request({ port: server.port, host: "127.0.0.1", path: "/api/activity/stream", agent: false });
    sent.on("response", (response) => {
      expect(response.headers["content-type"]).toBe("application/x-ndjson");
      response.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        messages.push(...lines.map((line) => JSON.parse(line) as ActivityMessage));
      });
      response.on("error", () => undefined);
    });
    sent.on("error", () => undefined).end();
    await until(() => messages.length > 0);
    expect(messages[0]).toMatchObject({ type: "activity.delta", records: [{ id: waiting.id, state: "waiting" }] });
    expect(messages[0]?.health).toMatchObject({ items: [] });
    waiting.retryNow();
    await until(() => messages.flatMap(({ records }) => records).some(({ outcome }) => outcome === "succeeded"));
    sent.destroy();
  });

  test("B4: the stream ends in order when the server stops, and does not hold up its end", async () => {
    const server = await startServer();
    const response = await fetch(`${server.url}/api/activity/stream`);
    const lines = response.text();
    const startedMs = performance.now();
    await server.stop(5000);
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect(await lines).toMatch(/^\{"type":"activity.delta"/);
  });

  test("B4: metrics are text for Prometheus", async () => {
    const server = await startServer();
    await run(server, answer()).result;
    const { headers, text } = await server.ask("/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).toContain('secondwind_generations_total{door="chat",outcome="first"} 1\n');
  });

  test("B5: health is listed and cleared by id; what is gone is 404", async () => {
    const server = await startServer();
    expect(await server.ask("/api/health")).toMatchObject({ status: 200, json: { items: [], budgets: [] } });
    const headers = { "x-secondwind-token": server.token };
    expect((await server.ask("/api/health/bm9uZQ", { method: "DELETE", headers })).status).toBe(404);
    expect((await server.ask("/api/health/bm9uZQ", { method: "DELETE" })).status).toBe(403);

    const health = new MemoryHealth();
    const ports = systemPorts();
    const activity = await openActivity({ store: memoryStore(), health, ports });
    health.coolDown(target("a", "m", "k"), "credential", ports.now() + 60_000);
    const [item] = activity.health().items;
    const clear = activityRoutes(activity).find(
      ({ method, path }) => method === "DELETE" && path === "/api/health/:id",
    );
    const signal = new AbortController().signal;
    const again = { params: { id: item?.id ?? "" }, query: undefined, body: undefined, signal };
    expect(await clear?.run(again)).toBeUndefined();
    expect(activity.health().items).toEqual([]);
    await expect(clear?.run(again)).rejects.toMatchObject({ status: 404 });
  });
});
