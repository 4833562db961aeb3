import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { agentEventSchema } from "../wire/agent-event-schema.ts";
import { sessionEventSchema } from "../wire/session-schemas.ts";
import { rpcDocument } from "./rpc-document.ts";
import { rpcWords } from "./rpc-tables.ts";

const document = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");

test("S9: docs/rpc.md has every command, event and field as the schemas have them (npm run docs writes it)", () => {
  const { is, shouldBe } = rpcDocument();
  expect(is).toBe(shouldBe);
  for (const word of rpcWords()) expect(is).toContain(`\`${word}\``);
});

test("S7, K6: docs/session.md names every event of a session and of a turn", () => {
  const text = document("session.md");
  for (const { shape } of [...sessionEventSchema.options, ...agentEventSchema.options]) {
    expect(text).toContain(shape.type.value);
  }
});
