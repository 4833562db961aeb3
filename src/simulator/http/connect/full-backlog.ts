import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { HOST } from "./listen.ts";
import type { ConnectFaultServer } from "./start-connect-fault.ts";

/**
 * Listens and never accepts, because the thread sleeps. The main thread cannot do that: libuv accepts every connection. Once
 * the queue of unaccepted connections is full, Linux silently drops further SYNs.
 */
const NEVER_ACCEPT = `
const { workerData, parentPort } = require("node:worker_threads");
const server = require("node:net").createServer();
server.listen({ port: 0, host: "${HOST}", backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  setImmediate(() => {
    Atomics.wait(new Int32Array(workerData), 0, 0);
    process.exit(0);
  });
});
`;

/** Longer than any connection on loopback takes. */
const CONNECT_MS = 150;
const MOST_FILLERS = 16;

/** Fault 2: a SYN is dropped. The connection is neither accepted nor refused. */
export async function fullBacklog(): Promise<ConnectFaultServer> {
  const sleepFlag = new SharedArrayBuffer(4);
  const worker = new Worker(NEVER_ACCEPT, { eval: true, workerData: sleepFlag });
  const [port] = (await once(worker, "message")) as [number];
  const fillers: Socket[] = [];
  let isFull = false;
  while (!isFull && fillers.length < MOST_FILLERS) {
    const filler = connect(port, HOST);
    fillers.push(filler);
    isFull = !(await isConnected(filler));
  }
  return {
    url: `http://${HOST}:${port}`,
    close: async () => {
      for (const filler of fillers) filler.destroy();
      const exit = once(worker, "exit");
      Atomics.store(new Int32Array(sleepFlag), 0, 1);
      Atomics.notify(new Int32Array(sleepFlag), 0);
      await exit;
    },
  };
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), CONNECT_MS);
    const settle = (isUp: boolean) => () => {
      clearTimeout(timer);
      resolve(isUp);
    };
    socket.once("connect", settle(true));
    socket.on("error", settle(false));
  });
}
