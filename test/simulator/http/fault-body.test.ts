import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { often } from "../../support/soak.ts";
import { useSimulator } from "./support.ts";
import { askRaw, type Streaming, WIRE_FORMATS } from "./wire-formats.ts";

const world = useSimulator();
const HOWS: readonly Streaming[] = ["stream", "whole"];

/** Some bytes from the first to the last, and the ones next to the borders. */
function someBytes(length: number): readonly number[] {
  const spread = Array.from({ length: 8 }, (_, n) => Math.floor((n * length) / 8) + n);
  return [...new Set([0, 1, ...spread, length - 1, length])];
}

describe.each(WIRE_FORMATS)("faults of the body, $name", (format) => {
  const ask = (fault?: string, how: Streaming = "stream", more = {}) =>
    askRaw({ sim: world.sim, format, how, ...(fault !== undefined && { fault }), ...more });

  test.each(HOWS)("fault 20: the connection is reset at any byte of the body (%s)", async (how) => {
    const good = await ask(undefined, how);
    for (const k of someBytes(good.body.length)) {
      const { body, end, isComplete } = await ask(`20-${k}`, how);
      expect([k, end]).toEqual([k, "reset"]);
      expect(body.equals(good.body.subarray(0, k))).toBe(true);
      if (k < good.body.length) expect(isComplete).toBe(false);
    }
  });

  test.each(HOWS)("fault 21: the body ends at any byte, and HTTP has nothing against it (%s)", async (how) => {
    const good = await ask(undefined, how);
    for (const k of someBytes(good.body.length)) {
      const { body, end, isComplete } = await ask(`21-${k}`, how);
      expect([k, end, isComplete]).toEqual([k, "fin", true]);
      expect(body.equals(good.body.subarray(0, k))).toBe(true);
    }
  });

  test.each(["20", "21"])("fault %s: any byte of a short answer can be the last", async (fault) => {
    const good = await ask(undefined, "whole", { prompt: "echo: hi" });
    // Every byte in a soak; otherwise one in five, from another one on each time.
    const step = often(5, 1);
    const first = Math.floor(Math.random() * step);
    const some = Array.from({ length: good.body.length }, (_, k) => k).filter((k) => k % step === first);
    for (let from = 0; from < some.length; from += 50) {
      const batch = some.slice(from, from + 50);
      const got = await Promise.all(batch.map((k) => ask(`${fault}-${k}`, "whole", { prompt: "echo: hi" })));
      expect(got.map(({ body }) => body.length)).toEqual(batch);
      expect(new Set(got.map(({ end }) => end))).toEqual(new Set([fault === "20" ? "reset" : "fin"]));
    }
  });

  test.each(HOWS)("fault 22: content-length is shorter than the body, or longer (%s)", async (how) => {
    const good = await ask(undefined, how);
    const lengthOf = (headers: readonly (readonly [string, string])[]) =>
      Number(Object.fromEntries(headers)["content-length"]);
    const short = await ask("22", how);
    expect(lengthOf(short.headers)).toBeLessThan(good.body.length);
    expect(short.body.equals(good.body)).toBe(true);
    const long = await ask("22-long", how);
    expect([lengthOf(long.headers) > good.body.length, long.end]).toEqual([true, "fin"]);
  });

  test.each(HOWS)("fault 23: everything comes but the last chunk (%s)", async (how) => {
    const good = await ask(undefined, how);
    const { body, isComplete, end } = await ask("23", how);
    expect(body.equals(good.body)).toBe(true);
    expect([isComplete, end]).toEqual([false, "fin"]);
  });

  test.each(HOWS)("fault 24: the gzip ends in the middle (%s)", async (how) => {
    const { headers, body, isComplete } = await ask("24", how);
    expect([Object.fromEntries(headers)["content-encoding"], isComplete]).toEqual(["gzip", true]);
    expect([body[0], body[1]]).toEqual([0x1f, 0x8b]);
    expect(() => gunzipSync(body)).toThrow("unexpected end of file");
  });

  test.each(HOWS)("fault 25: little gzip becomes a lot, and a valid answer in the end (%s)", async (how) => {
    const good = await ask(undefined, how);
    const { body } = await ask("25-8", how);
    const unpacked = gunzipSync(body);
    expect(body.length).toBeLessThan(100_000);
    expect(unpacked.length).toBe(8 * 1024 * 1024 + good.body.length);
    expect(unpacked.subarray(-good.body.length).equals(good.body)).toBe(true);
  });

  test("fault 26: text comes after the terminal event", async () => {
    const { events, isComplete } = await ask("26");
    const end = events.findIndex(({ data }) => format.terminal.test(data));
    expect(events.slice(end + 1).some(({ data }) => format.text.test(data))).toBe(true);
    expect(isComplete).toBe(true);
  });
});

test("faults 20 and 23: fetch notices that the body is not whole; on Node 20 not after connection: close", async () => {
  const ask = async (fault: string): Promise<string> => {
    const response = await fetch(`${world.sim.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer key", "x-sim-fault": fault },
      body: JSON.stringify({ model: "ok", stream: true, messages: [{ role: "user", content: "hi" }] }),
    });
    return response.text().then(
      () => "taken for whole",
      () => "broken",
    );
  };
  expect([await ask("20"), await ask("23")]).toEqual(["broken", "broken"]);
  // A newer undici that another test of this process has loaded may send the requests of `fetch`.
  const { Agent } = await import("undici");
  const dispatcher = (globalThis as { [name: symbol]: unknown })[Symbol.for("undici.globalDispatcher.1")];
  const isNode20 = process.versions.node.startsWith("20.") && !(dispatcher instanceof Agent);
  expect(await ask("23-close")).toBe(isNode20 ? "taken for whole" : "broken");
});

test("fault 25: without a number it is a quarter of a gigabyte", async () => {
  const { body } = await askRaw({ sim: world.sim, format: WIRE_FORMATS[0] ?? raise(), fault: "25" });
  expect(body.length).toBeLessThan(1_000_000);
  expect(gunzipSync(body).length).toBeGreaterThan(256 * 1024 * 1024);
});

function raise(): never {
  throw new Error("There is no wire format");
}
