import { describe, expect, test } from "vitest";
import { definePolicy, start } from "../../../../src/index.ts";
import { PRESETS } from "../../../../src/presets/index.ts";
import type { Estimate, PolicyView } from "../../../../src/wire/http/server.ts";
import { answer, fails, World } from "../../../support/world.ts";
import { type Answer, startServer, type TestServer } from "../support/test-server.ts";

const fixed = { schedules: { general: { type: "fixed", delayMs: 5 } } };

function write(server: TestServer, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { "x-secondwind-token": server.token };
  return server.ask(path, { method, headers, ...(body !== undefined && { body }) });
}

async function list(server: TestServer): Promise<readonly PolicyView[]> {
  const { json } = await server.ask("/api/policies");
  return (json as { readonly policies: readonly PolicyView[] }).policies;
}

describe("K5: policies over the API", () => {
  test("K5: lists every preset, complete", async () => {
    const policies = await list(await startServer());
    expect(policies.map(({ name, isPreset }) => [name, isPreset])).toEqual(
      Object.keys(PRESETS).map((name) => [name, true]),
    );
    for (const { name, policy } of policies) expect(policy).toEqual(JSON.parse(JSON.stringify(PRESETS[name]?.())));
  });

  test("K5: an own policy is stored, listed after a restart, replaced and deleted", async () => {
    const server = await startServer();
    const put = await write(server, "PUT", "/api/policies/my%20policy", { from: "patient", policy: fixed });
    expect(put.status).toBe(200);
    const complete = definePolicy(
      { schedules: { general: { type: "fixed", delayMs: 5 } }, name: "my policy" },
      PRESETS.patient?.(),
    );
    const view = { name: "my policy", isPreset: false, from: "patient", policy: JSON.parse(JSON.stringify(complete)) };
    expect(put.json).toEqual(view);
    expect((await list(server)).at(-1)).toEqual(view);
    await server.stop(0);

    const again = await startServer({ home: server.home, storePath: server.storePath });
    expect((await list(again)).at(-1)).toEqual(view);
    await write(again, "PUT", "/api/policies/my%20policy", { policy: { maxDelayMs: 7 } });
    expect((await list(again)).at(-1)).toMatchObject({
      name: "my policy",
      policy: { maxDelayMs: 7, name: "my policy" },
    });
    expect(await list(again)).toHaveLength(Object.keys(PRESETS).length + 1);
    expect((await write(again, "DELETE", "/api/policies/my%20policy")).status).toBe(204);
    expect((await write(again, "DELETE", "/api/policies/my%20policy")).status).toBe(404);
    expect(await list(again)).toHaveLength(Object.keys(PRESETS).length);
  });

  test.each([
    ["PUT", "/api/policies/bad", { policy: { maxDelayMs: -1 } }, 400, "policy.maxDelayMs"],
    ["PUT", "/api/policies/bad", { policy: { shedules: {} } }, 400, "policy.shedules"],
    ["PUT", "/api/policies/bad", { policy: { rules: { auth: "pray" } } }, 400, "policy.rules.auth"],
    ["PUT", "/api/policies/bad", { policy: [] }, 400, "policy"],
    ["PUT", "/api/policies/a%2Fb", { policy: {} }, 400, "name"],
    [
      "PUT",
      "/api/policies/bad",
      { policy: { classify: [{ name: "x".repeat(70_000), when: { status: 500 }, kind: "server" }] } },
      400,
      "policy",
    ],
    ["PUT", "/api/policies/patient", { policy: {} }, 409, "name"],
    ["DELETE", "/api/policies/patient", undefined, 409, "name"],
    ["POST", "/api/policies/estimate", { policy: { patienceMs: "long" } }, 400, "policy.patienceMs"],
  ])("K5: %s %s is refused and names the field", async (method, path, body, status, field) => {
    const server = await startServer();
    const refused = await write(server, method, path, body);
    expect(refused.status).toBe(status);
    expect(refused.json).toMatchObject({ error: { field } });
    expect(await list(server)).toHaveLength(Object.keys(PRESETS).length);
  });

  test("K5: names that every object has are names like any other", async () => {
    const server = await startServer();
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect((await write(server, "PUT", `/api/policies/${name}`, { from: name, policy: fixed })).status).toBe(200);
    }
    expect((await list(server)).slice(-3).map(({ name }) => name)).toEqual(["__proto__", "constructor", "toString"]);
  });

  test("K5: a status or schedule that was removed from a complete policy does not come back from its base", async () => {
    const server = await startServer();
    const policy = definePolicy({ ...PRESETS.console?.(), name: "mine" });
    const { others: _, ...schedules } = policy.schedules;
    const rules = Object.fromEntries(
      Object.entries(policy.rules).map(([kind, rule]) => [
        kind,
        "schedule" in rule ? { ...rule, schedule: "general" } : rule,
      ]),
    );
    await write(server, "PUT", "/api/policies/mine", {
      from: "console",
      policy: { ...policy, schedules, rules, statuses: {} },
    });
    const saved = (await list(server)).at(-1)?.policy;
    expect(saved?.statuses).toEqual({});
    expect(Object.keys(saved?.schedules ?? {})).toEqual(["general"]);
  });

  test("K5: policies that are saved at the same time are all saved", async () => {
    const server = await startServer();
    const names = Array.from({ length: 12 }, (_, n) => `p${n}`);
    await Promise.all(names.map((name) => write(server, "PUT", `/api/policies/${name}`, { policy: fixed })));
    expect(
      (await list(server))
        .slice(-12)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names.sort());
  });

  test("K5: without the token nothing is changed", async () => {
    const server = await startServer();
    const put = { method: "PUT", body: { policy: fixed } };
    expect((await server.ask("/api/policies/x", put)).status).toBe(403);
    expect(await list(server)).toHaveLength(Object.keys(PRESETS).length);
  });

  test("K5: the policy of new turns can't be deleted", async () => {
    const server = await startServer();
    await write(server, "PUT", "/api/policies/mine", { policy: fixed });
    expect((await write(server, "PUT", "/api/settings", { "serve.policy": "mine" })).status).toBe(200);
    const refused = await write(server, "DELETE", "/api/policies/mine");
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({ error: { message: expect.stringContaining("serve.policy") } });
    await write(server, "PUT", "/api/settings", { "serve.policy": null });
    expect((await write(server, "DELETE", "/api/policies/mine")).status).toBe(204);
  });

  test("K5: a turn runs with an own policy by name, and is recorded with it", async () => {
    const server = await startServer();
    await write(server, "PUT", "/api/policies/mine", { from: "patient", policy: fixed });
    const { status } = await server.ask("/chat", {
      method: "POST",
      body: { message: "hello", model: "sim/ok", policy: "mine" },
    });
    expect(status).toBe(200);
    expect((await server.activity.list({ limit: 1 })).records).toMatchObject([{ policy: "mine", asked: "sim/ok" }]);
  });

  test("B7: estimates what a policy would have done with what was recorded", async () => {
    const server = await startServer();
    for (let n = 0; n < 3; n++) {
      const call = new World().script(fails(503), answer());
      const { on } = server.activity.watch({ door: "chat", policy: "mine", asked: "first/a" });
      const targets = [{ provider: "first", model: "a" }];
      await start(call, { policy: { schedules: { general: { type: "fixed", delayMs: 5 } } }, targets, on }).result;
    }
    const { json } = await write(server, "POST", "/api/policies/estimate", { policy: { enabled: false } });
    expect(json as Estimate).toMatchObject({
      recorded: { generations: 3, answered: 3, retried: 3, calls: 6 },
      estimated: { generations: 3, answered: 0, calls: 3, meanWaitMs: 0 },
    });
  });
});
