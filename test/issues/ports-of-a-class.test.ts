import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import type { Ports } from "../../src/kernel/index.ts";
import { systemPorts } from "../../src/system/index.ts";

/** As a user writes them: methods of a class, with a private field that only they can read. */
class OwnPorts {
  readonly #real = systemPorts();
  reads = 0;
  now = () => this.#real.now();
  roughNow() {
    return this.#real.roughNow();
  }
  wallNow() {
    this.reads += 1;
    return this.#real.wallNow();
  }
  random() {
    return 0;
  }
  sleep(...args: Parameters<Ports["sleep"]>) {
    this.#real.sleep(...args);
  }
  rouse(...args: Parameters<Ports["rouse"]>) {
    this.#real.rouse(...args);
  }
  watch(...args: Parameters<Ports["watch"]>) {
    this.#real.watch(...args);
  }
  unwatch(...args: Parameters<Ports["unwatch"]>) {
    return this.#real.unwatch(...args);
  }
  newAbort() {
    return this.#real.newAbort();
  }
  reasonOf(...args: Parameters<Ports["reasonOf"]>) {
    return this.#real.reasonOf(...args);
  }
  onAbort(...args: Parameters<Ports["onAbort"]>) {
    this.#real.onAbort(...args);
  }
  offAbort(...args: Parameters<Ports["offAbort"]>) {
    this.#real.offAbort(...args);
  }
  newId() {
    return this.#real.newId();
  }
  reportFault(...args: Parameters<Ports["reportFault"]>) {
    this.#real.reportFault(...args);
  }
}

test("E12: ports may be an object of a class with private fields", async () => {
  let calls = 0;
  const endpoint = createServer((request, response) => {
    request.resume();
    calls += 1;
    response.statusCode = calls === 1 ? 503 : 200;
    const choices = [{ index: 0, message: { content: "hi" }, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json").end(JSON.stringify({ choices }));
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    endpoint.closeAllConnections();
    endpoint.close();
  });
  const ports = new OwnPorts();
  const fetch = resilientFetch({ schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } } }, { ports });
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1/chat/completions`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify({ model: "m", messages: [] }) });
  expect(response.status).toBe(200);
  expect(calls).toBe(2);
});
