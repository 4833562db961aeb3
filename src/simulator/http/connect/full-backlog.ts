import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { HOST, type Situation } from "./situation.ts";

/**
 * Listens and then never accepts: the thread is put to sleep. In the main thread this cannot be done, because libuv accepts
 * everything. Once the queue of unaccepted connections is full, Linux drops further SYNs without a word.
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

/** Fault 2: a SYN is dropped. A connection is neither made nor refused. */
export async function fullBacklog(): Promise<Situation> {
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
    const settle = (isThere: boolean) => () => {
      clearTimeout(timer);
      resolve(isThere);
    };
    socket.once("connect", settle(true));
    socket.on("error", settle(false));
  });
}
