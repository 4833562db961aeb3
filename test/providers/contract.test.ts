import { beforeEach } from "vitest";
import { IN_PROCESS_ORIGIN } from "../../src/simulator/http/in-process/origin.ts";
import { type InProcessSimulator, simulateInProcess } from "../../src/simulator/http/index.ts";
import { useSimulator } from "../simulator/http/support.ts";
import { providerContract } from "./provider-contract.ts";
import { openProvider } from "./support.ts";

const FAST = { timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 };
const world = useSimulator();

providerContract("Anthropic over HTTP", () => ({
  provider: openProvider({ name: "anthropic", speech: "anthropic", baseUrl: world.sim.urls.aiSdk.anthropic }),
  get requests() {
    return world.sim.requests;
  },
}));

providerContract("OpenAI over HTTP", () => ({
  provider: openProvider({ name: "openai", speech: "openai-responses", baseUrl: world.sim.urls.aiSdk.openai }),
  get requests() {
    return world.sim.requests;
  },
}));

providerContract("an OpenAI-compatible server over HTTP", () => ({
  provider: openProvider({ name: "my-box", speech: "openai-chat", baseUrl: world.sim.urls.aiSdk.openai }),
  get requests() {
    return world.sim.requests;
  },
}));

providerContract("Google over HTTP", () => ({
  provider: openProvider({ name: "google", speech: "google", baseUrl: world.sim.urls.aiSdk.google }),
  get requests() {
    return world.sim.requests;
  },
}));

let inside: InProcessSimulator = simulateInProcess(FAST);
beforeEach(() => {
  inside = simulateInProcess(FAST);
});

providerContract("the simulated provider in the process", () => ({
  provider: openProvider({
    name: "sim",
    speech: "anthropic",
    baseUrl: `${IN_PROCESS_ORIGIN}/v1`,
    line: (url, call) => inside.fetch(url, call),
  }),
  get requests() {
    return inside.requests;
  },
}));
