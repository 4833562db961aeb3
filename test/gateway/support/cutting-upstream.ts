import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** How an answer ends too early. */
export type CutHow =
  /** A reset of the connection. */
  | "reset"
  /** The last chunk, as if that were all. */
  | "end"
  /** A closed connection, of an answer that has no length. */
  | "close"
  /** A closed connection, of an answer that has declared its length. */
  | "short";

export interface Transcript {
  readonly type: string;
  readonly body: Buffer;
}

export interface CuttingUpstream {
  readonly url: string;
  /** How many requests came for each id. */
  readonly calls: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * Plays back one transcript. `x-cut: how-at` cuts the first answer to each `x-id`; further ones are whole. `x-split` has the lengths of
 * the chunks that it is written in.
 */
export async function startCuttingUpstream(transcriptOf: (name: string) => Transcript): Promise<CuttingUpstream> {
  const calls = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const id = headerOf(request, "x-id");
      const call = (calls.get(id) ?? 0) + 1;
      calls.set(id, call);
      const { type, body } = transcriptOf(headerOf(request, "x-transcript"));
      const [how = "", at = ""] = headerOf(request, "x-cut").split("-");
      response.setHeader("content-type", type);
      if (call > 1 || how === "") void write(response, body, headerOf(request, "x-split"));
      else cut(response, request.socket, { body, at: Number(at), how: how as CutHow });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cut(
  response: ServerResponse,
  socket: Socket,
  { body, at, how }: { readonly body: Buffer; readonly at: number; readonly how: CutHow },
): void {
  const sent = body.subarray(0, at);
  if (how === "end") return void response.end(sent);
  if (how === "short") response.setHeader("content-length", body.length);
  if (how === "close") {
    response.setHeader("connection", "close");
    response.useChunkedEncodingByDefault = false;
  }
  response.flushHeaders();
  const leave = (): void => void (how === "reset" ? socket.resetAndDestroy() : socket.end());
  // A reset that comes together with the data may overtake it.
  const later = (): void => void (how === "reset" ? setTimeout(leave, 2) : leave());
  if (at === 0) later();
  else response.write(sent, later);
}

async function write(response: ServerResponse, body: Buffer, split: string): Promise<void> {
  let at = 0;
  for (const length of split === "" ? [] : split.split(",").map(Number)) {
    if (at >= body.length) break;
    response.write(body.subarray(at, at + length));
    at += length;
    // So that the chunks arrive one by one.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(body.subarray(at));
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? "");
}
