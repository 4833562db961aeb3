import { reportFault } from "../../../system/report-fault.ts";
import type { HostFunction } from "../host/host.ts";
import type { CoveredName } from "../host/intercept.ts";
import type { Carrier } from "./carrier.ts";

/** What stands in the place of the host's functions. */
export interface Wrapping {
  wrap(name: CoveredName, original: HostFunction): HostFunction;
  /** From now on every wrapper is the original: someone may have kept one. */
  end(): void;
}

export function createWrapping(carrier: Carrier): Wrapping {
  let isOn = true;

  /** Whatever goes wrong on our side, the original is called as if we were not there. */
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
    end() {
      isOn = false;
    },
  };
}
