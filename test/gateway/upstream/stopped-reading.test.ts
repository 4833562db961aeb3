import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ByteRead } from "../../../src/formats/event-pieces.ts";
import { Connections } from "../../../src/gateway/upstream/connections.ts";
import { callUpstream } from "../../../src/gateway/upstream/upstream-call.ts";
import { CancelMark } from "../../../src/library/cancel-mark.ts";
import { selfSigned } from "../../../src/simulator/http/connect/self-signed.ts";

const A_DAY_MS = 86_400_000;

test.each([1000, 20_000, 40_000, 60_000])(
  "E14: a connection over TLS whose reader was slow serves the next requests: answers of %i bytes",
  async (size) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const certificate = selfSigned("localhost", new Date(Date.now() - A_DAY_MS), new Date(Date.now() + A_DAY_MS));
    const server = createServer(certificate, (_, response) => {
      response.flushHeaders();
      setTimeout(() => {
        response.socket?.cork();
        for (let part = 0; part < 4; part++) response.write("x".repeat(size / 4));
        response.end();
        response.socket?.uncork();
      }, 20);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const connections = new Connections();
    onTestFinished(() => {
      vi.unstubAllEnvs();
      connections.destroy();
      server.closeAllConnections();
      server.close();
    });
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const request = { origin, path: "/", method: "GET", headers: "", body: null, text: undefined, isAlone: true };
    for (let round = 0; round < 4; round++) {
      const { body } = await callUpstream(connections, request, new CancelMark().signal, (answer) => answer);
      const next = (): Promise<ByteRead> =>
        new Promise((resolve, reject) => (body as Required<typeof body>).take(resolve, reject));
      let bytes = 0;
      for (let read = await next(); !read.done; read = await next()) {
        bytes += read.value.length;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      expect(bytes).toBe(size);
    }
  },
  10_000,
);
