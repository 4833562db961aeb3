import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { encodeRequest } from "./raw-client.ts";
import { useSimulator } from "./support.ts";
import { askRaw, WIRE_FORMATS } from "./wire-formats.ts";

const world = useSimulator();

describe.each(WIRE_FORMATS)("faults of the head, $name", (format) => {
  const ask = (fault?: string, more = {}) =>
    askRaw({ sim: world.sim, format, ...(fault !== undefined && { fault }), ...more });

  test("fault 6: the connection is reset before a byte of the head", async () => {
    const { bytes, end } = await ask("6");
    expect([bytes.length, end]).toEqual([0, "reset"]);
  });

  test("fault 7: the second request on a keep-alive connection is reset", async () => {
    const socket = connect(world.sim.port, "127.0.0.1");
    const headers = { ...format.keyHeader("key"), "x-sim-fault": "7" };
    const request = encodeRequest(format.path("ok", "whole"), headers, format.body("ok", "echo: hi", "whole"));
    socket.write(request);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(first.toString()).toMatch(/connection: keep-alive/i);
    socket.write(request);
    const [fault] = (await once(socket, "error").catch((thrown: unknown) => [thrown])) as [NodeJS.ErrnoException];
    expect(fault.code).toBe("ECONNRESET");
  });

  test("fault 8: no head ever comes, and the simulator notices when the client leaves", async () => {
    const { bytes, end } = await ask("8", { quietMs: 60 });
    expect([bytes.length, end]).toEqual([0, "quiet"]);
    await expect.poll(() => world.sim.requests.at(-1)?.state).toBe("client-left");
  });

  test("fault 9: the head comes one byte at a time", async () => {
    const { parts, head, status, events } = await ask("9");
    const single = parts.filter(({ bytes }) => bytes.length === 1).length;
    expect(single).toBeGreaterThan(head.length / 2);
    expect([status, events.length > 10]).toEqual([200, true]);
  });

  test("fault 10: 102 and 103 come before the 200", async () => {
    const { bytes } = await ask("10");
    const lines = bytes.toString("latin1").match(/HTTP\/1\.1 \d+/g);
    expect(lines).toEqual(["HTTP/1.1 102", "HTTP/1.1 103", "HTTP/1.1 200"]);
    const single = await ask("10-100");
    expect(single.bytes.toString("latin1")).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test("fault 11: a redirect to the same origin leads to a good answer", async () => {
    const { status, headers } = await ask("11", { how: "whole" });
    const location = Object.fromEntries(headers).location ?? "";
    expect([status, location.startsWith("/")]).toEqual([307, true]);
    const followed = await fetch(world.sim.url + format.path("ok", "whole"), {
      method: "POST",
      headers: { ...format.keyHeader("key"), "x-sim-fault": "11" },
      body: JSON.stringify(format.body("ok", "echo: hi", "whole")),
    });
    expect(followed.status).toBe(200);
    expect(await followed.text()).toContain("hi");
  });

  test("fault 12: a redirect leads to another origin, where the simulator sees whether the key has followed", async () => {
    const { headers } = await ask("12", { how: "whole" });
    const location = new URL(Object.fromEntries(headers).location ?? "");
    expect(location.origin).not.toBe(world.sim.url);
    const send = (key: string) =>
      fetch(location, {
        method: "POST",
        headers: key === "" ? {} : format.keyHeader(key),
        body: JSON.stringify(format.body("ok", "echo: hi", "whole")),
      });
    expect((await send("leaked")).status).toBe(200);
    expect([400, 401]).toContain((await send("")).status);
    const others = world.sim.requests.filter(({ listener }) => listener === "other");
    expect(others.map(({ key }) => key)).toEqual(["leaked", ""]);
  });

  test("fault 13: the head is far larger than any client takes", async () => {
    const { head, status } = await ask("13");
    expect([status, head.length > 128 * 1024]).toEqual([200, true]);
    const small = await ask("13-20");
    expect(small.head.length).toBeLessThan(24 * 1024);
  });

  test("fault 14: there are two content-lengths, and they differ", async () => {
    const { headers, end } = await ask("14");
    const lengths = headers.filter(([name]) => name === "content-length").map(([, value]) => value);
    expect([lengths.length, new Set(lengths).size, end]).toEqual([2, 2, "fin"]);
  });

  test("fault 15: the content-type is wrong, the body is right", async () => {
    const [good, faulty] = [await ask(), await ask("15")];
    expect(Object.fromEntries(faulty.headers)["content-type"]).toBe("text/plain");
    expect(faulty.text).toBe(good.text);
  });

  test.each([502, 524])("fault 16: an HTML page comes with %i", async (wanted) => {
    const { status, headers, text } = await ask(`16-${wanted}`);
    expect([status, Object.fromEntries(headers)["content-type"]]).toEqual([wanted, "text/html; charset=UTF-8"]);
    expect(text).toContain("<!DOCTYPE html>");
  });

  test("fault 17: a 200 has an empty body", async () => {
    const { status, body, isComplete } = await ask("17");
    expect([status, body.length, isComplete]).toEqual([200, 0, true]);
  });

  test("fault 18: a 200 has an error as JSON", async () => {
    const { status, text } = await ask("18");
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveProperty("error.message");
  });

  test("fault 19: a 204 has nothing", async () => {
    const { status, body } = await ask("19");
    expect([status, body.length]).toEqual([204, 0]);
  });
});

test("faults 13 and 14: a real client rejects these heads", async () => {
  const send = (fault: string) =>
    fetch(`${world.sim.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer key", "x-sim-fault": fault },
      body: JSON.stringify({ model: "ok", messages: [{ role: "user", content: "hi" }] }),
    });
  await expect(send("13")).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_OVERFLOW" } });
  await expect(send("14")).rejects.toThrow("fetch failed");
});
