import { request } from "node:http";
import { connect, type LookupFunction } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, test } from "vitest";
import {
  type ConnectFault,
  type ConnectFaultServer,
  startConnectFault,
  TLS_FLAWS,
  type TlsFlaw,
} from "../../../src/simulator/http/index.ts";
import { useSimulator } from "./support.ts";

const world = useSimulator();
let server: ConnectFaultServer | undefined;
afterEach(() => server?.close());

const codeOf = (fault: unknown): unknown => (fault instanceof Error && "code" in fault ? fault.code : fault);

/** The result of a plain connection: the code of its error, `connected`, or `nothing` within the time. */
function tryConnection(url: string, timeoutMs = 300): Promise<unknown> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const settle = (result: unknown): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => settle("nothing"), timeoutMs);
    socket.once("connect", () => settle("connected"));
    socket.once("error", (fault) => settle(codeOf(fault)));
  });
}

test("fault 1: the connection is refused", async () => {
  server = await startConnectFault({ type: "connection-refused" });
  expect(await tryConnection(server.url)).toBe("ECONNREFUSED");
});

test("fault 2: the SYN is dropped, so the connection is neither accepted nor refused", async () => {
  server = await startConnectFault({ type: "connect-timeout" });
  expect(await tryConnection(server.url)).toBe("nothing");
});

test("fault 3: the name has no address", async () => {
  server = await startConnectFault({ type: "unknown-host" });
  expect(await ask(server)).toBe("ENOTFOUND");
});

test("fault 4: the name has a private address", async () => {
  server = await startConnectFault({ type: "private-address" });
  const { lookup, url } = server;
  const address = await new Promise((resolve) =>
    lookup?.(new URL(url).hostname, {}, (_fault, found) => resolve(found)),
  );
  expect(address).toBe("10.0.0.1");
});

test("fault 4: a client that does not check the address reaches this machine", async () => {
  server = await startConnectFault({ type: "private-address", address: "127.0.0.1", port: world.sim.port });
  expect(new URL(server.url).hostname).toBe("api.provider.example");
  expect(await ask(server)).toBe(401);
});

/** A GET through the fault's own resolver: the status, or the code of the error. */
function ask({ url, lookup }: ConnectFaultServer): Promise<unknown> {
  return new Promise((resolve) => {
    const asking = request(`${url}/v1/models`, { lookup: lookup as LookupFunction, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.once("error", (fault) => resolve(codeOf(fault)));
    asking.end();
  });
}

const TLS_CODES: Readonly<Record<TlsFlaw, readonly [untrusting: string, trusting: string]>> = {
  "self-signed": ["DEPTH_ZERO_SELF_SIGNED_CERT", "connected"],
  expired: ["CERT_HAS_EXPIRED", "CERT_HAS_EXPIRED"],
  "wrong-host": ["DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"],
  "no-tls": ["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_WRONG_VERSION_NUMBER"],
  reset: ["ECONNRESET", "ECONNRESET"],
};

test.each(TLS_FLAWS)("fault 5: TLS fails (%s)", async (flaw) => {
  server = await startConnectFault({ type: "tls", flaw });
  const { url, ca } = server;
  expect([await tryTls(url), await tryTls(url, ca)]).toEqual(TLS_CODES[flaw]);
});

function tryTls(url: string, ca?: string): Promise<unknown> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connectTls({ host: hostname, port: Number(port), ...(ca !== undefined && { ca }) });
    const settle = (result: unknown): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once("secureConnect", () => settle("connected"));
    socket.once("error", (fault) => settle(codeOf(fault)));
  });
}

test("faults 1 to 5: close everything they opened", async () => {
  const types = ["connection-refused", "connect-timeout", "unknown-host", "private-address", "tls"] as const;
  for (const type of types satisfies readonly ConnectFault["type"][]) {
    const { close, url } = await startConnectFault({ type });
    await close();
    if (type === "connect-timeout" || type === "tls") expect(await tryConnection(url)).toBe("ECONNREFUSED");
  }
});
