import { reportFault } from "../../../system/report-fault.ts";
import type { HostFunction } from "../host/host.ts";
import type { CoveredName } from "../host/intercept.ts";
import type { Carrier } from "./carrier.ts";
import { hostEvents } from "./host-events.ts";

/** Undefined: the original should be called instead. */
type Ours = (original: HostFunction, self: unknown, args: readonly unknown[]) => unknown;

/** Makes the functions that replace the host's. */
export function createWrapping(carrier: Carrier) {
  let isOn = true;
  const events = hostEvents(carrier);
  const carry: Ours = (original, self, [config, ...rest]) =>
    carrier.carry(config, (own) => original.call(self, own, ...rest));
  const hear: Ours = (_, __, [event, ...args]) => events.get(event as string)?.(...args);
  const ours: Readonly<Record<CoveredName, Ours>> = {
    generate: carry,
    generateRaw: carry,
    stopGenerationById: (original, self, args) =>
      carrier.stopById(args[0]) ? original.apply(self, [...args]) || true : undefined,
    stopAllGeneration: () => void carrier.endAll("stopped-by-id"),
    emit: hear,
    emitAndWait: hear,
  };
  return {
    /** Calls the original if ours fails. */
    wrap: (name: CoveredName, original: HostFunction): HostFunction =>
      function (this: unknown, ...args: unknown[]) {
        if (isOn) {
          try {
            const answer = ours[name](original, this, args);
            if (answer !== undefined) return answer;
          } catch (fault) {
            reportFault(fault, name.startsWith("emit") ? "an event of the host" : "the retries of this generation");
          }
        }
        return original.apply(this, args);
      },
    /** From now on every wrapper calls the original: a script may still hold one. */
    end: (): void => {
      isOn = false;
    },
  };
}
