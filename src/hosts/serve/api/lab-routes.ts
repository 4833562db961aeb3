import type { Policy } from "../../../kernel/index.ts";
import { LAB_POLICY_NAMES, SCENARIO_NAMES } from "../../../simulator/lab/index.ts";
import {
  type LabChoices,
  type LabLine,
  type LabRequest,
  labRequestSchema,
  type PolicyView,
} from "../../../wire/http/server.ts";
import { labChoices } from "../lab/lab-choices.ts";
import type { LabJob, StartLab } from "../lab/lab-job.ts";
import { startLabWorker } from "../lab/start-lab-worker.ts";
import { type AnyRoute, ApiProblem, defineRoute } from "./route.ts";

interface LabParts {
  /** Presets and own policies. */
  readonly policies: () => Promise<readonly PolicyView[]> | readonly PolicyView[];
  /** Default: in a thread. */
  readonly start?: StartLab;
  /** Aborts when the server shuts down: a run ends at once. */
  readonly stopping?: AbortSignal;
}

/** Each run keeps a core busy. */
const MOST_RUNNING = 2;

/** `/api/lab`: an outage on two policies, in virtual time. */
export function labRoutes({ policies, start = startLabWorker, stopping }: LabParts): readonly AnyRoute[] {
  let running = 0;
  const ownPolicies = async (): Promise<ReadonlyMap<string, Policy>> => {
    const own = (await policies()).filter(({ isPreset }) => !isPreset);
    return new Map(own.map(({ name, policy }) => [name, policy]));
  };
  return [
    defineRoute({
      method: "GET",
      path: "/api/lab",
      summary: "List what can be chosen in the outage lab",
      answer: "scenarios, policies, and what the figures mean",
      run: async (): Promise<LabChoices> => labChoices([...(await ownPolicies()).keys()]),
    }),
    defineRoute({
      method: "POST",
      path: "/api/lab",
      summary: "Run two policies through an outage",
      body: labRequestSchema,
      answer: "one JSON object per line: progress, partial results, at last the result with a report, or an error",
      async run({ body, signal }) {
        const job = jobOf(body, await ownPolicies());
        if (running >= MOST_RUNNING)
          throw new ApiProblem(429, `${MOST_RUNNING} runs are under way. Wait for one, or cancel it.`);
        signal.throwIfAborted();
        running += 1;
        const lines = ndjson(
          (onLine) => start(job, onLine),
          { signal, ...(stopping !== undefined && { stopping }) },
          () => {
            running -= 1;
          },
        );
        return new Response(lines, {
          headers: { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" },
        });
      },
    }),
  ];
}

function jobOf({ scenario, policies, clients, runs }: LabRequest, own: ReadonlyMap<string, Policy>): LabJob {
  const known = SCENARIO_NAMES.find((name) => name === scenario);
  if (known === undefined)
    throw new ApiProblem(400, `scenario must be one of ${SCENARIO_NAMES.join(", ")}`, "scenario");
  const [a, b] = policies;
  if (a === b) throw new ApiProblem(400, "policies must be two different ones", "policies");
  const chosen = policies.map((name) => {
    const found = own.get(name) ?? (LAB_POLICY_NAMES.includes(name) ? name : undefined);
    if (found !== undefined) return found;
    const allowed = [...own.keys(), ...LAB_POLICY_NAMES].join(", ");
    throw new ApiProblem(400, `policies must be two of ${allowed}; got ${JSON.stringify(name)}`, "policies");
  });
  return { scenario: known, policies: chosen, clients, runs };
}

/** The lines as a body. When the client leaves, or after the last line, the run ends and `onEnd` is called once. */
function ndjson(
  start: (onLine: (line: LabLine) => void) => () => void,
  { signal, stopping }: { readonly signal: AbortSignal; readonly stopping?: AbortSignal },
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  let stop: () => void = () => undefined;
  let halt: () => void = () => undefined;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", end);
    stopping?.removeEventListener("abort", halt);
    stop();
    onEnd();
  };
  return new ReadableStream({
    start(controller) {
      const take = (line: LabLine): void => {
        if (isOver) return;
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        if (line.type !== "done" && line.type !== "error") return;
        controller.close();
        end();
      };
      halt = () => take({ type: "error", message: "The server is shutting down" });
      signal.addEventListener("abort", end);
      stopping?.addEventListener("abort", halt);
      stop = start(take);
    },
    cancel: end,
  });
}
