import type { ServerResponse } from "node:http";

/** Comments for a client that asked for them, so that nothing between closes a connection that is quiet while we wait. */
export class KeepAlive {
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(response: ServerResponse, everyMs: number) {
    this.timer = setInterval(() => {
      if (!response.headersSent)
        response.writeHead(200, ["content-type", "text/event-stream; charset=utf-8", "cache-control", "no-cache"]);
      response.write(": secondwind is waiting\n\n");
    }, everyMs);
    response.once("close", () => this.stop());
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
