import { describe, expect, test } from "vitest";
import { until } from "../../../support/until.ts";
import { ask as askPort, startServer, type TestServer } from "../support/test-server.ts";

const hello = (model = "sim/ok") => ({ model, messages: [{ role: "user", content: "Say hello" }] });

interface Seen {
  readonly id: string;
  readonly state: string;
  readonly until?: number;
  readonly result?: { readonly text: string };
  readonly failure?: { readonly reason: string; readonly message: string };
  readonly receipt?: { readonly attempts: number; readonly outcome: string };
}

const job = async (server: TestServer, id: string): Promise<Seen> => (await server.ask(`/jobs/${id}`)).json as Seen;

async function reaches(server: TestServer, id: string, state: string): Promise<Seen> {
  for (let tries = 0; tries < 200; tries++) {
    const seen = await job(server, id);
    if (seen.state === state) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The job is ${(await job(server, id)).state}, not ${state}`);
}

describe("B6: jobs over HTTP", () => {
  test("B6: accepts a job with status 202 and its place, and gives its answer later", async () => {
    const server = await startServer();
    const accepted = await server.ask("/jobs", { method: "POST", body: hello() });
    expect(accepted.status).toBe(202);
    const { id } = accepted.json as Seen;
    expect(accepted.headers.location).toBe(`/jobs/${id}`);
    const done = await reaches(server, id, "done");
    expect(done.result?.text).not.toBe("");
    expect(done.receipt).toMatchObject({ outcome: "succeeded", attempts: 1 });
    const { json } = await server.ask("/jobs?state=done&limit=1");
    expect(json).toMatchObject({ jobs: [{ id }] });
    const activity = (await server.ask("/api/activity?door=job")).json;
    expect(activity).toMatchObject({ records: [{ id, door: "job", outcome: "succeeded", asked: "sim/ok" }] });
  });

  test("B6: a request that is sent twice with one Idempotency-Key is one job, another request with it is refused", async () => {
    const server = await startServer();
    const headers = { "idempotency-key": "order 1" };
    const [one, two] = await Promise.all(
      [1, 2].map(() => server.ask("/jobs", { method: "POST", headers, body: hello() })),
    );
    expect(one?.json).toMatchObject({ id: (two?.json as Seen | undefined)?.id });
    const other = await server.ask("/jobs", { method: "POST", headers, body: hello("sim/other") });
    expect([other.status, other.text]).toEqual([409, expect.stringContaining("order 1")]);
  });

  test("B8: a job that waits is shown in activity, and retried or cancelled from there", async () => {
    const server = await startServer();
    const { id } = (await server.ask("/jobs", { method: "POST", body: hello("sim/fault-20") })).json as Seen;
    const waiting = await reaches(server, id, "waiting");
    expect(waiting).toMatchObject({ receipt: { outcome: "running", attempts: 1 }, failure: { reason: "waiting" } });
    const records = async () =>
      (await server.ask("/api/activity")).json as { records: { state: string; id: string }[] };
    expect((await records()).records).toMatchObject([{ id, state: "waiting", door: "job" }]);
    const headers = { "x-secondwind-token": server.token };
    const retried = await server.ask(`/api/generations/${id}/retry-now`, { method: "POST", headers });
    expect(retried.status).toBe(204);
    for (let attempts = 1; attempts < 2; ) attempts = (await job(server, id)).receipt?.attempts ?? 0;
    expect((await server.ask(`/jobs/${id}/retry-now`, { method: "POST" })).status).toBe(204);
    await reaches(server, id, "waiting");
    expect((await server.ask(`/api/generations/${id}/give-up`, { method: "POST", headers })).status).toBe(204);
    expect(await reaches(server, id, "cancelled")).toMatchObject({ receipt: { outcome: "aborted" } });
    await until(() => server.activity.find(id)?.state === "ended");
    expect((await records()).records).toHaveLength(1);
    expect((await server.ask(`/jobs/${id}`, { method: "DELETE" })).status).toBe(204);
  });

  test("B6: follows a job as server-sent events to its end", async () => {
    const server = await startServer();
    const { id } = (await server.ask("/jobs", { method: "POST", body: hello() })).json as Seen;
    const { text, headers } = await server.ask(`/jobs/${id}/events`);
    expect(headers["content-type"]).toBe("text/event-stream");
    const states = [...text.matchAll(/^event: job\ndata: (.*)$/gm)].map(
      ([, data = ""]) => (JSON.parse(data) as Seen).state,
    );
    expect(states.at(-1)).toBe("done");
  });

  test("B6: answers careless requests with the field and what is allowed", async () => {
    const server = await startServer();
    const post = async (body: unknown) => (await server.ask("/jobs", { method: "POST", body })).status;
    expect(await post({ ...hello(), messages: [] })).toBe(400);
    expect(await post({ ...hello(), tools: [] })).toBe(400);
    expect(await post({ ...hello(), policy: "brave" })).toBe(400);
    expect(await post("{")).toBe(400);
    expect((await server.ask("/jobs/unknown")).status).toBe(404);
    expect((await server.ask("/jobs/unknown/events")).status).toBe(404);
    expect((await server.ask("/jobs/unknown", { method: "DELETE" })).status).toBe(404);
    expect((await server.ask("/jobs?limit=0")).status).toBe(400);
    expect((await server.ask("/jobs?after=x")).status).toBe(400);
    expect((await server.ask("/jobs", { method: "PUT" })).status).toBe(405);
    const { id } = (await server.ask("/jobs", { method: "POST", body: hello("nobody/model") })).json as Seen;
    expect(await reaches(server, id, "failed")).toMatchObject({
      failure: { reason: "no-target", message: "Unknown provider: nobody" },
    });
  });

  test("B6: a web page of another site can neither submit nor cancel jobs", async () => {
    const server = await startServer();
    const foreign = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
    expect((await server.ask("/jobs", { method: "POST", headers: foreign, body: hello() })).status).toBe(403);
    const sameSiteNoToken = { origin: `http://${server.host}`, "sec-fetch-site": "same-origin" };
    expect((await server.ask("/jobs", { method: "POST", headers: sameSiteNoToken, body: hello() })).status).toBe(403);
    expect((await server.ask("/jobs")).json).toEqual({ jobs: [] });
  });

  test("B6: a job that waits goes on when the server starts again", async () => {
    const server = await startServer();
    const { id } = (await server.ask("/jobs", { method: "POST", body: hello("sim/fault-20") })).json as Seen;
    const before = await reaches(server, id, "waiting");
    await server.stop(0);
    const again = await startServer({ home: server.home, storePath: server.storePath });
    expect(await job(again, id)).toMatchObject({ state: "waiting", until: before.until, receipt: { attempts: 1 } });
    expect(again.activity.running()).toMatchObject([
      { id, door: "job", state: "waiting", wait: { until: before.until } },
    ]);
    expect((await again.ask(`/jobs/${id}/retry-now`, { method: "POST" })).status).toBe(204);
    for (let attempts = 1; attempts < 2; ) attempts = (await job(again, id)).receipt?.attempts ?? 0;
  });

  test("B6: metrics and health show the jobs", async () => {
    const server = await startServer();
    const { id } = (await server.ask("/jobs", { method: "POST", body: hello() })).json as Seen;
    await reaches(server, id, "done");
    const { text } = await server.ask("/metrics");
    expect(text).toContain('secondwind_jobs{state="done"} 1');
    expect(text).toMatch(/^secondwind_jobs_oldest_seconds 0$/m);
    expect((await server.ask("/health")).json).toEqual({ live: true, ready: true, jobs: { ok: true } });
    const forgetful = await startServer({ storePath: ":memory:" });
    expect((await askPort(forgetful.port, "/jobs")).status).toBe(503);
    expect((await forgetful.ask("/health")).json).toMatchObject({ ready: true, jobs: { ok: false } });
  });
});
