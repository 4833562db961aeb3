import { Agent, type ClientRequest, request } from "node:http";

export interface Counts {
  answers: number;
  errors: number;
  disconnects: number;
}

export interface Traffic {
  readonly counts: Readonly<Counts>;
  /** Starts no more requests; resolves when those in progress have ended and no connection is open. */
  stop(): Promise<void>;
}

const PER_SECOND = 40;
/** Enough for every answer to end. More in progress than this means that the gateway does not answer any more. */
const AT_ONCE = 400;

/** The kinds of client, by turns: most read to the end, some leave before the first token or in the middle. */
const CLIENTS = [
  { stream: true },
  { stream: false },
  { stream: true },
  { stream: true, leavesAfterMs: 20 },
  { stream: false },
  { stream: true },
  { stream: true, leavesAfterMs: 250 },
  { stream: false, leavesAfterMs: 20 },
] as const satisfies readonly Client[];

interface Client {
  readonly stream: boolean;
  readonly leavesAfterMs?: number;
}

/** Steady requests to the gateway, each with a question of its own. */
export function startTraffic(port: number): Traffic {
  const agent = new Agent({ keepAlive: true });
  const counts: Counts = { answers: 0, errors: 0, disconnects: 0 };
  const open = new Set<Promise<void>>();
  let sent = 0;
  const send = (): void => {
    if (open.size >= AT_ONCE) {
      counts.errors += 1;
      return;
    }
    const client: Client = CLIENTS[sent % CLIENTS.length] ?? CLIENTS[0];
    sent += 1;
    const one: Promise<void> = ask({ agent, port, client, question: `Question ${sent}` }).then((ending) => {
      counts[ending] += 1;
      open.delete(one);
    });
    open.add(one);
  };
  const timer = setInterval(send, 1000 / PER_SECOND);
  return {
    counts,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
    },
  };
}

interface Ask {
  readonly agent: Agent;
  readonly port: number;
  readonly client: Client;
  readonly question: string;
}

function ask({ agent, port, client, question }: Ask): Promise<keyof Counts> {
  const messages = [{ role: "user", content: question }];
  const body = JSON.stringify({ model: "sonnet", stream: client.stream, messages });
  const headers = {
    authorization: "Bearer sk-soak",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve) => {
    const outgoing: ClientRequest = request(
      { host: "127.0.0.1", port, agent, method: "POST", path: "/v1/chat/completions", headers, timeout: 60_000 },
      (answer) => {
        answer.on("error", () => undefined);
        answer.on("end", () => resolve(answer.statusCode === 200 ? "answers" : "errors"));
        answer.resume();
      },
    );
    let hasLeft = false;
    outgoing.on("error", () => undefined);
    outgoing.on("timeout", () => outgoing.destroy());
    // Comes after the end of a complete answer, where it changes nothing.
    outgoing.on("close", () => resolve(hasLeft ? "disconnects" : "errors"));
    outgoing.end(body);
    if (client.leavesAfterMs === undefined) return;
    setTimeout(() => {
      hasLeft = true;
      outgoing.destroy();
    }, client.leavesAfterMs);
  });
}
