import { describe, expect, test } from "vitest";
import { type EmbedLinesInput, embedLines } from "../../../src/hosts/embed/embed-lines.ts";
import { MemoryHealth } from "../../../src/kernel/index.ts";
import { ProviderProblem } from "../../../src/providers/index.ts";
import type { EmbedRequest, Provider } from "../../../src/providers/provider.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";
import { systemPorts } from "../../../src/system/index.ts";
import { evenChance } from "../../support/world.ts";

type Embed = NonNullable<Provider["embed"]>;

function problem(status: number, message = `HTTP ${status}: {}`, headers = {}): ProviderProblem {
  return new ProviderProblem({ type: "error", message, retryable: status >= 500 || status === 429, status, headers });
}

/** A run on virtual time, with a provider whose vectors are the lengths of the texts. */
class EmbedWorld {
  readonly time = new VirtualWorld();
  readonly requests: EmbedRequest[] = [];
  out = "";
  stops = 0;

  run(
    lines: readonly string[] | AsyncIterable<unknown>,
    changes: Partial<EmbedLinesInput> = {},
    embed: Embed = lengths,
  ) {
    const provider: Provider = {
      name: "acme",
      stream: () => {
        throw new Error("not used");
      },
      embed: async (request, signal) => {
        this.requests.push(request);
        return embed(request, signal);
      },
    };
    const chunks = Array.isArray(lines) ? [`${lines.join("\n")}\n`] : lines;
    const embedding = embedLines({
      ...{ provider, model: "small", credentials: ["k1", "k2"], batch: 100, concurrency: 4, done: new Set() },
      ...{ health: new MemoryHealth(), ports: { ...this.time.ports, random: evenChance } },
      chunks: chunks as AsyncIterable<unknown>,
      write: async (text) => {
        this.out += text;
      },
      signal: new AbortController().signal,
      onWait: () => undefined,
      onCount: () => undefined,
      onStop: () => void this.stops++,
      ...changes,
    });
    return changes.ports === undefined ? this.time.until(embedding) : embedding;
  }

  get lines(): readonly unknown[] {
    return this.out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  }
}

const lengths: Embed = async ({ texts }) => texts.map((text) => [text.length]);

describe("embedLines", () => {
  test("C6: strings and objects get a vector with their id, or the number of their line", async () => {
    const world = new EmbedWorld();
    const end = await world.run(['"one"', "", '{"id":"b","text":"three"}', '{"id":7,"input":"xx"}', '{"text":"y"}']);
    expect(world.lines).toEqual([
      { id: 1, embedding: [3] },
      { id: "b", embedding: [5] },
      { id: 7, embedding: [2] },
      { id: 5, embedding: [1] },
    ]);
    expect(end).toEqual({ embedded: 4, failed: 0, skipped: 0 });
  });

  test("C6: a bad line is named and not repeated; the others are embedded", async () => {
    const world = new EmbedWorld();
    const bad = ["secret words", "5", "[]", '{"text":5}', '{"id":[],"text":"a"}', '{"text":"a","input":"b"}', '""'];
    const end = await world.run([...bad, '{"id":"b","text":"ok"}', '{"id":"b","text":"again"}']);
    expect(end).toEqual({ embedded: 1, failed: 8, skipped: 0 });
    const errors = world.lines.filter((line) => "error" in (line as object)) as { id: unknown; error: string }[];
    expect(errors.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, "b"]);
    expect(errors.map(({ error }) => error.slice(0, 8))).toEqual([1, 2, 3, 4, 5, 6, 7, 9].map((n) => `line ${n}: `));
    expect(world.out).not.toContain("secret");
    expect(world.lines).toContainEqual({ id: "b", embedding: [2] });
  });

  test("C6: batches have the given size, and no more than the given number of them run at once", async () => {
    const world = new EmbedWorld();
    let running = 0;
    let most = 0;
    const lines = Array.from({ length: 95 }, (_, n) => JSON.stringify(`text ${n}`));
    const end = await world.run(lines, { batch: 10, concurrency: 3, ports: systemPorts() }, async (request, signal) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return lengths(request, signal);
    });
    expect(end.embedded).toBe(95);
    expect(most).toBe(3);
    expect(world.requests.map(({ texts }) => texts.length).sort((a, b) => a - b)).toEqual([5, ...Array(9).fill(10)]);
  });

  test("C6: failures are retried by the background policy, with the next key after a rate limit", async () => {
    const world = new EmbedWorld();
    const script = [problem(429, "HTTP 429: slow down", { "retry-after": "60" }), problem(503)];
    const end = await world.run(['"one"'], {}, async (request, signal) => {
      const fault = script.shift();
      if (fault !== undefined) throw fault;
      return lengths(request, signal);
    });
    expect(end.embedded).toBe(1);
    expect(world.requests.map(({ credential }) => credential)).toEqual(["k1", "k2", "k2"]);
  });

  test("C6: what still fails after all retries becomes one error line per text, and the work continues", async () => {
    const world = new EmbedWorld();
    const lines = ['"bad"', '"good"'];
    const end = await world.run(lines, { batch: 1, concurrency: 1 }, async (request, signal) => {
      if (request.texts[0] === "bad") throw problem(503, "HTTP 503: still down");
      return lengths(request, signal);
    });
    expect(end).toEqual({ embedded: 1, failed: 1, skipped: 0 });
    expect(world.lines).toContainEqual({
      id: 1,
      error: "503 Service Unavailable: HTTP 503: still down",
      kind: expect.stringMatching(/server|overloaded/),
      status: 503,
    });
  });

  test("C6: one text that is refused does not fail the others of its batch", async () => {
    const world = new EmbedWorld();
    const lines = Array.from({ length: 9 }, (_, n) => JSON.stringify(n === 5 ? "poison" : `text ${n}`));
    const end = await world.run(lines, {}, async (request, signal) => {
      if (request.texts.includes("poison")) throw problem(400, "HTTP 400: input too long");
      return lengths(request, signal);
    });
    expect(end).toEqual({ embedded: 8, failed: 1, skipped: 0 });
    expect(world.lines.filter((line) => "error" in (line as object))).toMatchObject([{ id: 6, status: 400 }]);
  });

  test("C6: a rejected key stops the work, and texts that were not tried get no line", async () => {
    const world = new EmbedWorld();
    const lines = Array.from({ length: 50 }, (_, n) => JSON.stringify(`text ${n}`));
    const end = await world.run(lines, { batch: 1, concurrency: 2 }, async () => {
      throw problem(401, "HTTP 401: invalid key");
    });
    expect(end).toMatchObject({ embedded: 0, failed: 0, stopped: { kind: "auth" } });
    expect(world.out).toBe("");
    expect(world.stops).toBeGreaterThan(0);
    expect(world.requests.length).toBeLessThan(10);
  });

  test("C6: a server that fails four calls in ten costs no line", async () => {
    const world = new EmbedWorld();
    const lines = Array.from({ length: 1000 }, (_, n) => JSON.stringify(`text ${n}`));
    let seed = 1;
    const end = await world.run(lines, { batch: 2 }, async (request, signal) => {
      seed = (seed * 16_807) % 2_147_483_647;
      if (seed % 5 < 2) throw problem(503, `HTTP 503: request ${seed}`);
      return lengths(request, signal);
    });
    expect(end).toEqual({ embedded: 1000, failed: 0, skipped: 0 });
  });

  test("C6: an id that JSON would round is refused: it could not be returned as given", async () => {
    const world = new EmbedWorld();
    const end = await world.run(['{"id":12345678901234567891,"text":"a"}', '{"id":-1.5,"text":"b"}']);
    expect(end).toEqual({ embedded: 1, failed: 1, skipped: 0 });
    expect(world.lines).toEqual([
      { id: 1, error: `line 1: id must be a string, or a number up to ${Number.MAX_SAFE_INTEGER}` },
      { id: -1.5, embedding: [1] },
    ]);
  });

  test("C6: ids that are done are skipped", async () => {
    const world = new EmbedWorld();
    const end = await world.run(['{"id":"a","text":"x"}', '{"id":"b","text":"y"}'], { done: new Set(["a"]) });
    expect(end).toEqual({ embedded: 1, failed: 0, skipped: 1 });
    expect(world.lines).toEqual([{ id: "b", embedding: [1] }]);
  });

  test("C6: an abort ends it at once; what was written are whole lines", async () => {
    const world = new EmbedWorld();
    const controller = new AbortController();
    const lines = Array.from({ length: 30 }, (_, n) => JSON.stringify(`text ${n}`));
    const end = await world.run(
      lines,
      { batch: 10, concurrency: 1, signal: controller.signal, ports: systemPorts() },
      async (request, signal) => {
        if (world.requests.length === 2) {
          controller.abort();
          throw signal.reason;
        }
        return lengths(request, signal);
      },
    );
    expect(end).toEqual({ embedded: 10, failed: 0, skipped: 0 });
    expect(world.lines).toHaveLength(10);
  });

  test("C6: if the input pauses, the lines so far are embedded", async () => {
    const world = new EmbedWorld();
    let isShown = false;
    const slow = (async function* () {
      yield '"one"\n';
      for (let waited = 0; waited < 100 && !isShown; waited++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        isShown = world.out !== "";
      }
      yield '"two"\n';
    })();
    const end = await world.run(slow, { ports: systemPorts() });
    expect(isShown).toBe(true);
    expect(end.embedded).toBe(2);
  });
});
