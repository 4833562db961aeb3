import { request } from "node:http";
import { connect, type LookupFunction } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { type Situation, setUpFault, TLS_FLAWS, type TlsFlaw } from "../../../src/simulator/http/index.ts";
import { useSimulator } from "./support.ts";

const world = useSimulator();
let situation: Situation | undefined;
afterEach(() => situation?.close());

const codeOf = (fault: unknown): unknown => (fault instanceof Error && "code" in fault ? fault.code : fault);

/** What happens to a plain connection: its error's code, `connected`, or `nothing` for so long. */
function tryConnection(url: string, patienceMs = 300): Promise<unknown> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const settle = (result: unknown): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => settle("nothing"), patienceMs);
    socket.once("connect", () => settle("connected"));
    socket.once("error", (fault) => settle(codeOf(fault)));
  });
}

test("fault 1: the connection is refused", async () => {
  situation = await setUpFault({ number: 1 });
  expect(await tryConnection(situation.url)).toBe("ECONNREFUSED");
});

test("fault 2: the SYN is dropped, so that a connection is neither made nor refused", async () => {
  situation = await setUpFault({ number: 2 });
  expect(await tryConnection(situation.url)).toBe("nothing");
});

test("fault 3: the name has no address", async () => {
  situation = await setUpFault({ number: 3 });
  expect(await ask(situation)).toBe("ENOTFOUND");
});

test("fault 4: the name has a private address", async () => {
  situation = await setUpFault({ number: 4 });
  const { lookup, url } = situation;
  const address = await new Promise((resolve) =>
    lookup?.(new URL(url).hostname, {}, (_fault, found) => resolve(found)),
  );
  expect(address).toBe("10.0.0.1");
});

test("fault 4: a client that does not look reaches this very machine", async () => {
  situation = await setUpFault({ number: 4, address: "127.0.0.1", port: world.sim.port });
  expect(new URL(situation.url).hostname).toBe("api.provider.example");
  expect(await ask(situation)).toBe(401);
});

/** A GET through the situation's own resolver: the status, or the error's code. */
function ask({ url, lookup }: Situation): Promise<unknown> {
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
  situation = await setUpFault({ number: 5, flaw });
  const { url, ca } = situation;
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

test("faults 1 to 5: nothing is left behind", async () => {
  for (const number of [1, 2, 3, 4, 5] as const) {
    const { close, url } = await setUpFault({ number });
    await close();
    if (number === 2 || number === 5) expect(await tryConnection(url)).toBe("ECONNREFUSED");
  }
});
