import { Vault } from "../../src/credentials/index.ts";
import { aiSdkProvider } from "../../src/providers/ai-sdk/ai-sdk-provider.ts";
import type { Endpoint, Speech } from "../../src/providers/endpoint.ts";
import type { Line } from "../../src/providers/line/line.ts";
import type { Provider } from "../../src/providers/provider.ts";

export const SECRET = "sk-test-0123456789abcdefghij";

interface Opening {
  readonly name: string;
  readonly speech: Speech;
  readonly baseUrl: string;
  readonly line?: Line;
}

/** A provider with two keys for its endpoint. */
export function openProvider({ name, speech, baseUrl, line }: Opening): Provider {
  const endpoint: Endpoint = {
    ...{ name, title: name, speech, baseUrl, keyVariables: ["TEST_KEY"] },
    ...{ needsKey: true, models: [], embeddings: [] },
  };
  const vault = new Vault();
  const { origin } = new URL(baseUrl);
  vault.add({ id: `${name}#1`, provider: name, origin, from: "test", secret: SECRET });
  vault.add({ id: `${name}#2`, provider: name, origin, from: "test", secret: "key-two" });
  return aiSdkProvider({ endpoint, vault, ...(line !== undefined && { line }) });
}
