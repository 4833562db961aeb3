import type { Abortable } from "../kernel/index.ts";
import { GatewayClosed } from "./answer/final-error.ts";
import type { Errand } from "./exchange.ts";

/** A client that leaves ends its generation. So does a gateway that closes; then the client is told. */
export function endEarly({ response, gateway }: Errand, generation: Abortable): void {
  const stop = (): void => generation.onAbort(new GatewayClosed());
  gateway.running.add(stop);
  response.once("close", () => {
    gateway.running.delete(stop);
    generation.onAbort(new Error("The client left"));
  });
}
