import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway } from "../../../src/gateway/index.ts";
import type { PolicyInput } from "../../../src/index.ts";
import type { SimulatorUrls } from "../../../src/simulator/http/index.ts";
import type { Client, Format } from "./clients.ts";
import { hostThrough } from "./named-hosts.ts";
import { openaiChat, openaiResponses } from "./openai-probes.ts";
import { anthropicMessages, geminiContent } from "./other-sdk-probes.ts";
import { SeenThroughGateway } from "./outcome.ts";
import type { Ask, Probe } from "./probe.ts";

interface Opened {
  readonly urls: SimulatorUrls;
  /** Is told of the calls that the gateway makes. */
  onCall: (() => void) | undefined;
  /** What the gateway says went wrong. */
  kind: string | undefined;
  close(): Promise<void>;
}

const opened: Opened[] = [];

export async function closeGateways(): Promise<void> {
  await Promise.all(opened.splice(0).map((one) => one.close()));
}

/** The official SDKs with nothing but another base URL. Each has a gateway of its own, so that nothing is left of another fault. */
function gatewayClient(format: Format, probe: Probe): Client {
  const ours = ({ policy }: { readonly policy: PolicyInput }): Probe => {
    let opening: Promise<Opened> | undefined;
    return async (ask, sight) => {
      opening ??= openGateway(ask, policy);
      const gateway = await opening;
      gateway.onCall = ask.onCall;
      try {
        await probe({ ...ask, urls: gateway.urls, fetch: globalThis.fetch }, sight);
      } catch (error) {
        throw gateway.kind === undefined ? error : new SeenThroughGateway(gateway.kind, error);
      }
    };
  };
  return { format, door: "gateway", bare: probe, ours };
}

export const GATEWAY_CLIENTS: readonly Client[] = [
  gatewayClient("OpenAI chat", openaiChat),
  gatewayClient("OpenAI responses", openaiResponses),
  gatewayClient("Anthropic", anthropicMessages),
  gatewayClient("Gemini", geminiContent),
];

async function openGateway({ urls, lookup }: Ask, policy: PolicyInput): Promise<Opened> {
  const origin = new URL(urls.openai);
  const host = lookup === undefined ? origin.host : `${hostThrough(lookup)}:${origin.port}`;
  const endpoint = `${origin.protocol}//${host}`;
  const state: Pick<Opened, "onCall" | "kind"> = { onCall: undefined, kind: undefined };
  const gateway = createGateway({
    endpoints: {
      openai: { baseURL: `${endpoint}/v1`, format: "openai" },
      anthropic: { baseURL: `${endpoint}/v1`, format: "anthropic" },
      google: { baseURL: `${endpoint}/v1beta`, format: "gemini" },
    },
    policy: { ...policy, breaker: null, budget: null },
    watch: () => ({
      on: (event) => {
        if (event.type === "attempt-start") state.onCall?.();
        if (event.type === "generation-end") state.kind = event.failure?.kind;
      },
    }),
  });
  const server = createServer((request, response) => gateway.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const moved = JSON.parse(JSON.stringify(urls).replaceAll(origin.origin, own)) as SimulatorUrls;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
  };
  const one: Opened = Object.assign(state, { urls: moved, close });
  opened.push(one);
  return one;
}
