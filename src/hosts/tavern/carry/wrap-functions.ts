import { reportFault } from "../../../system/report-fault.ts";
import type { HostFunction } from "../host/host.ts";
import type { CoveredName } from "../host/intercept.ts";
import type { Carrier } from "./carrier.ts";

/** Makes the functions that replace the host's. */
export function createWrapping(carrier: Carrier) {
  let isOn = true;

  /** Calls the original if ours fails or returns undefined. */
  function guarded(original: HostFunction, ours: (self: unknown, args: unknown[]) => unknown): HostFunction {
    return function (this: unknown, ...args: unknown[]) {
      if (isOn) {
        try {
          const answer = ours(this, args);
          if (answer !== undefined) return answer;
        } catch (fault) {
          reportFault(fault, "carrying of this generation");
        }
      }
      return original.apply(this, args);
    };
  }

  function wrap(name: CoveredName, original: HostFunction): HostFunction {
    switch (name) {
      case "generate":
      case "generateRaw":
        return guarded(original, (self, [config, ...rest]) =>
          carrier.carry(config, (own) => original.call(self, own, ...rest)),
        );
      case "stopGenerationById":
        return guarded(original, (self, args) => {
          const wasWaiting = carrier.stopById(args[0]);
          return wasWaiting ? original.apply(self, args) || true : undefined;
        });
      case "stopAllGeneration":
        return guarded(original, () => void carrier.endAll("stopped-by-id"));
      default:
        return name satisfies never;
    }
  }

  return {
    wrap,
    /** From now on every wrapper calls the original: a script may still hold one. */
    end: (): void => {
      isOn = false;
    },
  };
}
