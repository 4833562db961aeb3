import { expect, test } from "vitest";
import { Vault } from "../../../../src/credentials/index.ts";
import { calls, emits, says } from "../../../support/scripted-provider.ts";
import { ChatWorld } from "./chat-world.ts";

const SECRET = "sk-live-0123456789abcdefghijklmnop";

function vaultWithSecret(): Vault {
  const vault = new Vault();
  vault.add({ id: "acme#1", provider: "acme", origin: "https://acme.example", from: "test", secret: SECRET });
  return vault;
}

test("K6: a key never reaches a client, the store or another model, wherever it comes from", async () => {
  const { redact, redactPieces } = vaultWithSecret();
  const leak = { spec: { name: "leak", description: "", parameters: {} }, run: () => `key=${SECRET}` };
  const world = new ChatWorld(
    [
      emits(503, `HTTP 503: bad key ${SECRET}`),
      [{ type: "reasoning", text: `The key is ${SECRET}.` }, ...calls(["a", "leak", { key: SECRET }])],
      // Spread over pieces.
      says("It is ", ...(SECRET.match(/.{1,5}/g) as string[]), " indeed"),
    ],
    { tools: [leak], redact, redactPieces },
  );
  const client = await world.ask(`My key is ${SECRET}`);
  const stored = JSON.stringify([await world.store.conversations.list(), await world.store.conversations.read("c1")]);
  expect(JSON.stringify(client.events)).not.toContain(SECRET);
  expect(client.text).toMatch(/^It is .* indeed$/);
  expect(client.text.replaceAll(/[^a-z0-9]/g, "")).not.toContain("0123456789abcdef");
  expect(stored).not.toContain(SECRET);
  expect(JSON.stringify(world.acme.requests)).not.toContain(SECRET);
  expect(JSON.stringify(await world.service.open("c1"))).not.toContain(SECRET);
});

test("K6: text that was held back as a possible key is sent before an aborted turn is sealed", async () => {
  const { redact, redactPieces } = vaultWithSecret();
  const world = new ChatWorld([[{ type: "text", text: "It is sk-live-" }, { type: "hang" }]], { redact, redactPieces });
  const client = world.follow("c1");
  await world.service.send({ conversationId: "c1", message: "Hello" });
  await world.time.advance(10);
  world.service.abort("c1");
  await world.sealed();
  expect(client.text).toBe("It is sk-live-");
  expect(client.types.at(-1)).toBe("turn-sealed");
});
